"""German: what is nominated for a campaign, its review, and what its author is told."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # Nominating.
    "nominate.title": "Reich deine Arbeit ein",
    "work.title": "Was ist es?",
    "work.url": "Link",
    "work.why": "Warum sollte man es sehen?",
    "work.before.title": "Titel vorher",
    "work.before.url": "Link vorher",
    "work.before.why": "Begründung vorher",
    "nominated": (
        "Du hast einen Platz in {name}. Das ist ein Versprechen: Ein Mensch prüft deinen Beitrag,"
        " und vorher kann die Kampagne nicht geschlossen werden."
    ),
    "nominated.again": "Das hattest du bei {name} schon eingereicht. Hier noch einmal der Beleg.",
    "entry.in": "Eingereicht bei {name}",
    "entry.named": "Dein Name steht dabei, und am Schluss wirst du einmal erwähnt.",
    "entry.unnamed": "Dein Name steht nicht dabei.",
    "entry.queued": "Wartet auf eine Prüfung",
    "entry.leased": "Wird gerade geprüft",
    "entry.returned": "Es gibt eine Rückfrage an dich",
    "entry.done": "Fertig",
    "entry.withdrawn": "Zurückgezogen",
    "entry.next.queued": (
        "Jemand prüft den Beitrag. Steward meldet dir jeden Schritt per Direktnachricht, wenn du"
        " sie erlaubst; /nominate und die Karte der Kampagne zeigen ihn auch."
    ),
    "entry.next.leased": (
        "Der Beitrag wird angenommen, oder es gibt eine Rückfrage. Steward meldet es dir per"
        " Direktnachricht, wenn du sie erlaubst; /nominate und die Karte der Kampagne zeigen es"
        " auch."
    ),
    "entry.next.returned": "Drück „Antworten“. Danach wartet der Beitrag wieder auf eine Prüfung.",
    "entry.next.done": "Er wird mit den anderen gezeigt, wenn die Kampagne geschlossen wird.",
    "entry.words": "Die Rückfrage",
    "entry.summary": "Die Besprechung",
    "entry.footer": "Nur du siehst das. /nominate zeigt es noch einmal.",
    "button.answer": "Antworten",
    "button.name_me": "Meinen Namen zeigen",
    "button.unname": "Meinen Namen nicht zeigen",
    "entries.none": (
        "Du hast noch nichts eingereicht. Das geht mit /nominate oder auf der Karte der Kampagne."
    ),
    "entries.title": "Deine Beiträge",
    "entries.line": "`{reference}` {title} bei {name}: {state}",
    "entry.is_withdrawn": (
        "{reference} ist zurückgezogen. Dein Platz bleibt verbraucht: Jede Person hat einen in"
        " einer Kampagne."
    ),
    "entry.none_here": "Du hast keinen Beitrag in {name}, also gibt es nichts zurückzuziehen.",
    # Answering a reviewer.
    "answer.title": "Antwort zu {reference}",
    "answer.words": "Deine Antwort auf die Rückfrage",
    "answer.prompt": (
        "Was du hier als Nächstes schreibst, ist deine Antwort zu {reference}. Die Prüfenden lesen"
        " sie."
    ),
    "entry.answered": "Deine Antwort ist da. {reference} wartet wieder auf eine Prüfung.",
    # Somebody else's message.
    "offer.title": "Deine Nachricht",
    "offer": (
        "{who} möchte diese Nachricht von dir bei {name} auf {guild} einreichen. Jede Person hat"
        " dort einen Platz, und es wäre deiner. Darf sie eingereicht werden?"
    ),
    "button.offer.named": "Ja, mit meinem Namen",
    "button.offer.unnamed": "Ja, ohne meinen Namen",
    "button.offer.no": "Nein",
    "offer.made": "{author} wird zuerst gefragt. Eingereicht wird nur nach einem Ja.",
    "offer.declined": "Es wurde nichts eingereicht.",
    "offer.not_a_person": (
        "Bei dieser Nachricht kann niemand gefragt werden: Kein Mitglied hat sie geschrieben."
    ),
    # What authors are told of each step.
    "author.submit": "Dein Beitrag bei {name} auf {guild} hat seinen Platz.",
    "author.submit.next": "Jemand prüft ihn, und Steward meldet es dir.",
    "author.send_back": "Zu deinem Beitrag bei {name} auf {guild} gibt es eine Rückfrage.",
    "author.send_back.next": (
        "Drück „Antworten“, oder schreib innerhalb von 15 Minuten hierher: Die nächste Nachricht"
        " ist deine Antwort."
    ),
    "author.edit": "Dein Beitrag bei {name} auf {guild} wurde bei der Prüfung berichtigt.",
    "author.complete": "Dein Beitrag bei {name} auf {guild} ist fertig.",
    "author.complete.next": (
        "Er wird mit den anderen gezeigt, wenn die Kampagne geschlossen wird."
    ),
    "author.withdraw": (
        "Dein Beitrag bei {name} auf {guild} ist zurückgezogen. Er wird nicht mehr geprüft."
    ),
    # Reviewing.
    "review.card": "Für {name}, von {author}, eingereicht {entered}. Bei dir bis {until}.",
    "review.footer": "Nur du siehst das. /review mine zeigt es noch einmal.",
    "review.send_back": "Zurückgegeben mit",
    "review.answer": "Darauf die Antwort",
    "button.approve": "Annehmen",
    "button.edit": "Bearbeiten",
    "button.send_back": "Rückfrage",
    "approve.title": "Den Beitrag annehmen",
    "approve.summary": "Deine Besprechung (sie wird gezeigt)",
    "send_back.title": "Rückfrage zum Beitrag",
    "send_back.words": "Was soll beantwortet werden?",
    "edit.title": "{reference} berichtigen",
    "review.none": (
        "Es wartet nichts, das du prüfen darfst. Den eigenen Beitrag prüft jemand anderes."
    ),
    "review.approved": (
        "{reference} ist fertig, und wer es eingereicht hat, erfährt es. /review next nimmt den"
        " nächsten Beitrag."
    ),
    "review.sent_back": "{reference} ist zurück, mit der Bitte um eine Antwort.",
    "review.given_back": "{reference} wartet wieder in der Schlange.",
    "review.reclaimed": (
        "{reference} wartet wieder in der Schlange. Wer es hatte, kann nicht mehr darüber"
        " entscheiden."
    ),
    "review.edited": "{reference} ist berichtigt, und wer es eingereicht hat, erfährt es.",
    "review.extended": "{reference} ist bei dir bis {until}.",
    "review.mine": "Bei dir zur Prüfung: {number}",
    "review.mine.none": "Du hast gerade nichts. /review next nimmt den nächsten Beitrag.",
    "review.mine.line": "`{reference}` {title}: bis {until}",
    "review.ending": (
        "Deine Zeit für diesen Beitrag endet {until}. Dann geht er zurück in die Schlange."
        " „Verlängern“ behält ihn."
    ),
}
