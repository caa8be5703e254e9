"""Where sentences and messages say a secret: phrases, answers, runs of chance near a word for one."""
