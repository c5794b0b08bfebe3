"""The manners all pages share: page or fragment, errors in words, headers, the shell around a page, sign-in."""
