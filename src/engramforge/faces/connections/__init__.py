"""Programs that engramforge is connected to: what is written into their settings, and taken out again whole."""
