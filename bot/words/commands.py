"""What commands and their options are for, in languages other than English.

Their names are the same in every language, so that anybody can tell anybody what to type. Commands
in a message's menu have no description and are not typed: there the name is in one's own language.
"""

from typing import Final

DESCRIPTIONS: Final[dict[str, dict[str, str]]] = {
    "de": {
        "Ask the team for private help": "Bitte das Team vertraulich um Hilfe",
        "In a few words: what is it about?": "In wenigen Worten: Worum geht es?",
        "Your requests and where they stand": "Deine Anfragen und ihr Stand",
        "Which conversation your direct messages go to": ("Wohin deine Direktnachrichten gehen"),
        "Write to the member of this thread": "Dem Mitglied dieses Threads schreiben",
        "What the member shall read": "Was das Mitglied lesen soll",
        "The help desk": "Das Hilfe-Team",
        "What waits, oldest first": "Was wartet, das Älteste zuerst",
        "What you hold: claims and conversations": "Was bei dir liegt: Anfragen und Gespräche",
        "Take a request from the queue": "Eine wartende Anfrage übernehmen",
        "Its reference": "Ihr Kürzel",
        "Give a claim back to the queue": "Eine Anfrage zurückgeben, sie wartet dann wieder",
        "Keep a claim for longer": "Eine Anfrage länger behalten",
        "Messages that nobody knows to have arrived": (
            "Nachrichten, von denen niemand weiß, ob sie ankamen"
        ),
        "Post the Ask for help button": "Den Knopf „Um Hilfe bitten“ aufstellen",
        "Where members will see it (default: here)": "Wo Mitglieder ihn sehen (sonst: hier)",
        "Open a request for a member and take it": (
            "Für ein Mitglied eine Anfrage stellen und sie übernehmen"
        ),
        "Whom it is for": "Für wen sie ist",
        "End a conversation of yours": "Ein Gespräch von dir abschließen",
        "Give a conversation to another coordinator": "Ein Gespräch an jemand anderen übergeben",
        "Take a conversation that nobody has": "Ein Gespräch übernehmen, das niemand hat",
        "Who shall have it": "Wer es bekommen soll",
        "A conversation as a file": "Ein Gespräch als Datei",
        "Set the help desk up, or mend it": "Das Hilfe-Team einrichten oder in Ordnung bringen",
        "The team's own channel: requests appear here": (
            "Der Kanal des Teams: Hier erscheinen Anfragen"
        ),
        "Who answers requests": "Wer Anfragen beantwortet",
        "Who reviews showcase entries": "Wer Einreichungen begutachtet",
        "Who runs the desk": "Wer das Team organisiert",
        "Where private threads go when a member's DMs are closed": (
            "Wohin private Threads kommen, wenn ein Mitglied keine Direktnachrichten annimmt"
        ),
        "How members are answered (default: by DM)": (
            "Wie Mitglieder Antwort bekommen (sonst: per Direktnachricht)"
        ),
        "What members see of the team (default: the coordinator's name)": (
            "Was Mitglieder vom Team sehen (sonst: den Namen)"
        ),
        "For times that people type (default: UTC)": (
            "Für Uhrzeiten, die jemand eintippt (sonst: UTC)"
        ),
        "Nominate your work for a campaign": "Deine Arbeit für eine Kampagne einreichen",
        "Which campaign (not needed when only one is open)": (
            "Welche Kampagne (nicht nötig, wenn nur eine offen ist)"
        ),
        "Withdraw what you have nominated": "Zurückziehen, was du eingereicht hast",
        "Reviewing what is nominated": "Beiträge prüfen",
        "Take the next entry that waits": "Den nächsten wartenden Beitrag übernehmen",
        "Which campaign (default: any)": "Welche Kampagne (sonst: irgendeine)",
        "What you hold, and until when": "Was bei dir liegt und bis wann",
        "Put an entry back that a reviewer doesn't finish": (
            "Einen Beitrag zurücklegen, der liegen bleibt"
        ),
        "The entry's reference": "Das Kürzel des Beitrags",
    },
}

MENU_NAMES: Final[dict[str, dict[str, str]]] = {
    "de": {
        "Translate": "Übersetzen",
    },
}


def described(english: str, locale: str) -> str | None:
    """The description in the language of one of Discord's locales; None where English is shown."""
    return DESCRIPTIONS.get(locale.split("-", maxsplit=1)[0].lower(), {}).get(english)


def menu_name(english: str, locale: str) -> str | None:
    """A menu command's name in the language of a locale; None where English is shown."""
    return MENU_NAMES.get(locale.split("-", maxsplit=1)[0].lower(), {}).get(english)
