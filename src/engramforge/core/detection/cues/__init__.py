"""The wordings by which decisions and threads are recognised."""
