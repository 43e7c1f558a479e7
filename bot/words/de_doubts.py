"""German: messages of which nobody knows whether they arrived."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # The page of /desk reconcile.
    "doubts.none": "Keine Nachricht ist im Zweifel.",
    "doubts.title": "Im Zweifel: {number}",
    "doubts.line": "`{reference}` {member}, seit {since}: {problem}",
    "doubts.steward": "Steward findet es selbst heraus.",
    "doubts.person": "Braucht dich: Frag das Mitglied und drück dann, was stimmt.",
    "doubts.buttons": "Die Knöpfe sind für {reference}.",
    "doubts.part": "{what} in {channel}, seit {since}: {problem}",
    "doubts.part.of": "`{reference}` {what} in {channel}, seit {since}: {problem}",
    "doubts.part.person": (
        "Braucht dich: Sieh dort nach, oder frag, für wen es war, und drück dann, was stimmt. Bis"
        " dahin wird dort nichts mehr gesendet."
    ),
    "doubts.part.buttons": "Die Knöpfe gelten für: {what} in {channel}, seit {since}.",
    "doubts.what.words": "Worte ans Mitglied",
    "doubts.what.card": "eine Karte",
    "doubts.what.panel": "der Knopf „Um Hilfe bitten“",
    "doubts.what.organizer": "Worte an die Organisation",
    "doubts.what.notice": "ein Hinweis",
    "doubts.unknown": "Discord sagt nicht, ob die Nachricht ankam ({code}).",
    "decided.arrived": "{reference}: Das Gespräch hat begonnen.",
    "decided.absent": "{reference} wartet wieder.",
    "decided.dropped": "{reference} ist ohne Antwort beendet.",
    "decided.part.arrived": "Sie ist angekommen. Was dahinter wartete, wird jetzt gesendet.",
    "decided.part.absent": "Sie ist nicht angekommen und wird noch einmal gesendet.",
    "decided.part.dropped": "Sie ist aufgegeben. Was dahinter wartete, wird jetzt gesendet.",
    "refused.doubt_over": (
        "Diese Nachricht ist hier nicht im Zweifel, oder nicht mehr. /desk reconcile zeigt, welche"
        " es sind."
    ),
    "drop.reason": "niemand konnte herausfinden, ob die erste Nachricht ankam",
    # Told once, when a message begins to need a person.
    "in_doubt.title": "Eine Nachricht braucht dich",
    "in_doubt.title.of": "{reference}: Eine Nachricht braucht dich",
    "in_doubt.text": (
        "Ist das in {channel} angekommen: {what}? Discord lässt Steward es nicht herausfinden. Sieh"
        " dort nach, oder frag, für wen es war, und sag es dann mit /desk reconcile. Bis dahin wird"
        " dort nichts mehr gesendet."
    ),
    "desk.problem.in_doubt": (
        "Discord lässt Steward nicht herausfinden, ob eine Nachricht im Kanal des Teams ankam. Dort"
        " erscheint nichts mehr, bis jemand aus dem Team es mit /desk reconcile sagt."
    ),
    # Words to a member that a person has given up.
    "problem.given_up": (
        "Niemand konnte herausfinden, ob es ankam, und jemand aus dem Team hat es aufgegeben."
    ),
    "undelivered.title.given_up": "Vielleicht nicht zugestellt: {reference}",
    "undelivered.what.ended.given_up": (
        "{member} weiß vielleicht nicht, dass die Anfrage abgeschlossen ist."
    ),
    "undelivered.what.other.given_up": (
        "{member} hat eine Nachricht zur Anfrage vielleicht nicht bekommen."
    ),
    "undelivered.do.given_up": (
        "Steward versucht es nicht noch einmal. Wenn es wichtig ist, frag nach."
    ),
}
