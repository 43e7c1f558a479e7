"""English: translations of messages."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    "refused.not_relayed": (
        "Steward didn't carry this message, so it doesn't translate it. It translates what a member"
        " and the team have written to each other."
    ),
    "refused.nothing_to_translate": "This message has no text to translate.",
    "refused.translation_not_offered": (
        "Nobody translates for Steward here. Whoever runs it can name a LibreTranslate server in"
        " its settings."
    ),
    "translation.title": "Translation",
    "translation.title.from": "Translated from {language}",
    "translation.footer": "By machine. Only you see it; the message itself stays as it is.",
    "translation.cut": "By machine, and cut here because it is long. Only you see it.",
    "translation.running": (
        "Somebody has just asked for this translation. Choose Translate again in a moment."
    ),
    "translation.gone": (
        "This message has been changed or erased meanwhile. Choose Translate again if it is there."
    ),
    "translation.failed.slow": (
        "The translation took too long. Choose Translate again if you like."
    ),
    "translation.failed.refused": (
        "The translation service refused to do it. Try again in a minute. If it stays, tell whoever"
        " runs Steward."
    ),
    "translation.failed.unavailable": (
        "The translation service isn't available just now. Try again in a few minutes."
    ),
    "translation.failed.unreadable": (
        "The translation service gave no answer that Steward understands. If it stays, tell whoever"
        " runs Steward."
    ),
    "translation.failed.language_not_offered": (
        "The translation service doesn't know your Discord's language, {language}, or the"
        " message's."
    ),
    "language.bg": "Bulgarian",
    "language.cs": "Czech",
    "language.da": "Danish",
    "language.de": "German",
    "language.el": "Greek",
    "language.en": "English",
    "language.es": "Spanish",
    "language.fi": "Finnish",
    "language.fr": "French",
    "language.hi": "Hindi",
    "language.hr": "Croatian",
    "language.hu": "Hungarian",
    "language.id": "Indonesian",
    "language.it": "Italian",
    "language.ja": "Japanese",
    "language.ko": "Korean",
    "language.lt": "Lithuanian",
    "language.nb": "Norwegian",
    "language.nl": "Dutch",
    "language.pl": "Polish",
    "language.pt": "Portuguese",
    "language.ro": "Romanian",
    "language.ru": "Russian",
    "language.sv": "Swedish",
    "language.th": "Thai",
    "language.tr": "Turkish",
    "language.uk": "Ukrainian",
    "language.vi": "Vietnamese",
    "language.zh": "Chinese",
    "language.zt": "Chinese (traditional)",
    "language.ar": "Arabic",
    "language.fa": "Persian",
    "language.he": "Hebrew",
}
