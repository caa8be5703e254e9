"""First names that many people have: before a colon they say whose words follow, where a topic does not.

Names that are better known as tools and languages (Ruby, Jenkins, Travis, Hugo, Jasmine) are left out.
"""

from __future__ import annotations

from typing import Final

_NAMES = (
    "aaron abdul abigail adam adrian agnes ahmed aisha alan albert alejandro alessandro alex alexander alexandra"
    " alexis alfred ali alice alicia alina alison amanda amelia amir amy ana anders andre andrea andreas andrew"
    " andy angela anita anja anke ann anna anne annette antoine anton antonio arjun arthur astrid ava axel barbara"
    " beatrice ben benjamin bernard bernd beth bettina bill birgit björn bob bobby brandon brian bruno camille"
    " carl carla carlos carmen carol caroline catherine cathy charles charlie charlotte chen chiara chloe chris"
    " christian christina christine christophe claire clara claudia colin connor craig cynthia dan daniel daniela"
    " danielle dave david deborah denis dennis derek diana diego dieter dietmar dirk dmitri dominik don donald"
    " doris dorothy doug eduardo edward elena eli elisa elisabeth elizabeth ella ellen emily emma eric erica erik"
    " ethan eva evelyn fabian fatima felix fernando fiona florian francesca francesco francisco frank franz"
    " françois fred frederik frieda gabriel gabriela gary georg george gerald gerd giovanni giulia greg gregor"
    " guillaume gustavo günter hana hannah hans harald harry hassan heather heidi heike heinz helen helena helga"
    " helmut henri henry holger holly ian ibrahim ines inga ingrid irene isaac isabel isabelle ivan jack jacob"
    " jacques jake james jan jane janet janine jason javier jean jeff jennifer jens jeremy jessica jim jimmy joan"
    " joanna jochen joe joel johan johann johanna john johnny jonas jonathan jordan jorge josef joseph josh joshua"
    " josé juan judith judy julia julian julie julien justin jörg jürgen karen karin karl karsten kate katharina"
    " katherine kathrin kathy katie kelly ken kenji kerstin kevin kim klaus kristin kurt lars laura lauren laurent"
    " lea leah lena leo leon leonie lewis liam lisa logan lou louis louise luca lucas lucia lucy luis luisa lukas"
    " luke lydia magda manfred manuel manuela marc marcel marcia marco marcus margaret maria marie marina mario"
    " marion markus marta martha martin martina mary mateo mathieu matt matteo matthew matthias maurice megan"
    " mehmet melanie mia michael michel michele michelle miguel mike mila mohamed mohammed monica monika nadia"
    " nancy naomi natalia natalie nathan neil nicholas nick nicolas nicole nigel nikolai nils nina noah nora"
    " norbert oleg oliver olivia olivier omar oscar otto pablo pamela paola patricia patrick paul paula pauline"
    " pedro peter petra philip philipp philippe pierre priya rachel rafael rainer raj ralf ralph ramon raquel"
    " raymond raúl rebecca regina renate rené ricardo richard rita rob robert roberto robin roger roland rolf ron"
    " ronald rosa rosie roy rudolf russell ruth ryan sabine sally sam samantha samuel sandra sanjay santiago sara"
    " sarah sascha scott sean sebastian sergei sergio sharon silke silvia simon simone sofia sonja sophia sophie"
    " stefan stefanie stephan stephanie stephen steve steven sue susan susanne sven svenja sylvia tanja tara ted"
    " teresa terry theo theresa thierry thomas thorsten tim timo tina tobias todd tom tommy tony torsten trevor"
    " tyler udo ulrich ulrike ursula uwe valentina valerie vanessa vera verena veronica victor victoria viktor"
    " vincent virginia walter wei wendy werner wilhelm william wolfgang xavier yan yasmin yuki yusuf yvonne"
    " zachary zoe"
)
FIRST_NAMES: Final = frozenset(_NAMES.split())
