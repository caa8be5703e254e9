"""What a text says of decisions and threads that it mentions by local id (D001, T001).

`entries.named_in` reads a sentence: entries introduced, ended, settled (entries), given up or open again (continuing),
waiting for something (waiting), and what took an ended decision's place (successors).
"""
