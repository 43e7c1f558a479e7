"""German: translations of messages."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    "refused.not_relayed": (
        "Diese Nachricht hat Steward nicht weitergegeben, darum übersetzt er sie nicht. Er"
        " übersetzt, was ein Mitglied und das Team einander geschrieben haben."
    ),
    "refused.nothing_to_translate": "Diese Nachricht hat keinen Text zum Übersetzen.",
    "refused.translation_not_offered": (
        "Hier übersetzt niemand für Steward. Wer ihn betreibt, kann in den Einstellungen einen"
        " LibreTranslate-Server nennen."
    ),
    "translation.title": "Übersetzung",
    "translation.title.from": "Übersetzt aus: {language}",
    "translation.footer": "Maschinell. Nur du siehst das; die Nachricht bleibt, wie sie ist.",
    "translation.cut": "Maschinell, und hier gekürzt, weil es lang ist. Nur du siehst das.",
    "translation.running": (
        "Gerade hat jemand um diese Übersetzung gebeten. Wähle gleich noch einmal Übersetzen."
    ),
    "translation.gone": (
        "Diese Nachricht ist inzwischen geändert oder gelöscht worden. Wähle noch einmal"
        " Übersetzen, wenn sie noch da ist."
    ),
    "translation.failed.slow": (
        "Die Übersetzung hat zu lange gedauert. Wähle noch einmal Übersetzen, wenn du magst."
    ),
    "translation.failed.refused": (
        "Der Übersetzungsdienst lehnt es ab. Versuch es in einer Minute noch einmal. Wenn es so"
        " bleibt, sag es der Person, die Steward betreibt."
    ),
    "translation.failed.unavailable": (
        "Der Übersetzungsdienst ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch"
        " einmal."
    ),
    "translation.failed.unreadable": (
        "Der Übersetzungsdienst hat nichts geantwortet, was Steward versteht. Wenn es so bleibt,"
        " sag es der Person, die Steward betreibt."
    ),
    "translation.failed.language_not_offered": (
        "Der Übersetzungsdienst kann die Sprache deines Discord, {language}, nicht, oder die der"
        " Nachricht."
    ),
    "language.bg": "Bulgarisch",
    "language.cs": "Tschechisch",
    "language.da": "Dänisch",
    "language.de": "Deutsch",
    "language.el": "Griechisch",
    "language.en": "Englisch",
    "language.es": "Spanisch",
    "language.fi": "Finnisch",
    "language.fr": "Französisch",
    "language.hi": "Hindi",
    "language.hr": "Kroatisch",
    "language.hu": "Ungarisch",
    "language.id": "Indonesisch",
    "language.it": "Italienisch",
    "language.ja": "Japanisch",
    "language.ko": "Koreanisch",
    "language.lt": "Litauisch",
    "language.nb": "Norwegisch",
    "language.nl": "Niederländisch",
    "language.pl": "Polnisch",
    "language.pt": "Portugiesisch",
    "language.ro": "Rumänisch",
    "language.ru": "Russisch",
    "language.sv": "Schwedisch",
    "language.th": "Thailändisch",
    "language.tr": "Türkisch",
    "language.uk": "Ukrainisch",
    "language.vi": "Vietnamesisch",
    "language.zh": "Chinesisch",
    "language.zt": "Chinesisch (traditionell)",
    "language.ar": "Arabisch",
    "language.fa": "Persisch",
    "language.he": "Hebräisch",
}
