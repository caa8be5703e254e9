"""Names of persons between whom somebody chooses: "Pia or Jana?" asks for no way to do a thing.

Names that are better known as tools, fonts and languages (Inter, Ruby, Dart, Flora, Iris, Nova) are left out.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.whose.first_names import FIRST_NAMES

_FURTHER: Final = (
    "abel ada adele agata agnieszka aicha aiko aino akira albin aldo aleksandra alex alfons alma alois amalia"
    " amara amina anders andrzej aneta anika anneke annika anouk antje anya ariane arne arno asha ashley asta ayla"
    " ayse bart bastian bea beate bella benedikt benno berta bianca birte bjarne bjorn bo bodo boris brigitte"
    " britta bronwyn caleb cara carmela carolina cecilia celia celine chantal charlene christa christoph christos"
    " cindy clemens cora cornelia cosima cristina dad dagmar dalia damian danuta daria dario dina ditte dora"
    " dorothea edda eddie edgar edith edwin eero eike eileen ekaterina eleanor elif elin eliza elke elliot elsa"
    " elvira emil emilia emilio emre enrico enzo erin ernst estelle esther eugen evan ewa fatou felicia ferdinand"
    " filip finn fiona franka franziska fredrik friederike fritz gabi gabor geert georgia gerda gerrit gesa gina"
    " gisela giuseppe goran grandma grandpa greta gretchen grete gudrun gunnar gustav hamid hanne hannes hanno"
    " harriet hartmut hedwig heiner helge hella henning henriette henrik herbert hermann hettie hilda hilde"
    " hiroshi horst hubert ida igor ilka ilona ilse imke imran ina inge ingo irina irma isa isidor isolde jaap"
    " jakob jan jana janek janina janis jannik jara jarek jasper jelena jenny jesper jette jo joachim jochem"
    " jolanta jon jonna joost joris josefine jost jovan julius jutta kai karim karla karolina kasper katarina"
    " katja kaya keiko khalid kilian kira kirsten knut konrad konstantin krystyna lara larissa lasse laszlo layla"
    " leila lenka lennart leonard leonora leopold lieke lien lilian lilli lilly lily linda linnea linus lisbeth"
    " liv livia lorena lorenz lorenzo lotta lotte lucien ludwig luigi luisa luka lutz maaike mads magdalena magnus"
    " maike maja malik malin malte mandy mara marcin marek maren margit margot mariana marianne marija marika"
    " marius marlene marta marten mathilde mathis matilda mats matti maura max maxim maya mechthild mei meike"
    " melina merle meta mette micha michaela mikael mikhail milan milena milo mina mira miriam mirja mirko mitch"
    " moira molly mom mona moritz moses mum muriel nadine nanna natascha natasha ned nele nelly nico nicola nigel"
    " nikita niklas niko noor nour odette olaf ole olga oskar otis ottilie palle pavel peer pekka pepe per pia"
    " piet pieter piotr polly quentin rachid rahel ralph ramona rania raphael rashid rebekka reiner reinhard reto"
    " ria riccardo rico rikke roberta rocco rohan roman romy ronja rosalie roswitha ruben rune sabina sabrina"
    " salma samir samira sander sandro saskia selina selma serge severin shirin sibylle sigrid silas silvio simona"
    " sina siri sofie solveig sonia soren stacey stanislav steffen steffi stella stina sunniva susana suse"
    " svetlana sybille tabea tamara tania tanya tarek tatjana tess thea thilo tibor tilda till tillmann tilman"
    " titus tom tomas tomasz tomek toni tove tristan tuomas ulf ulla ute valentin vasily veit vera vibeke vico"
    " viggo viola vito vivian vladimir volker wanda wendelin wenke wiebke wilma wim wojciech wolf yann yannick"
    " yannik yara yasemin yolanda yves zeynep zofia zora"
)
GIVEN_NAMES: Final = FIRST_NAMES | frozenset(_FURTHER.split())
