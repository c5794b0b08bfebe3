// Runs before anything is painted: says that scripts work, so that what needs them shows and what replaces them hides.
document.documentElement.classList.replace("no-js", "has-js");
