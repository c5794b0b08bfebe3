"""Every act × every fault of it × every fault of looking, against the real service: nothing that is said is false."""
