"""German: a campaign's card, its announcement, and what organizers read of it."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # The card.
    "campaign.open": "Offen: Reich deine Arbeit ein. Jede Person hat einen Platz.",
    "campaign.draining": "Nimmt nichts mehr an. Was da ist, wird geprüft.",
    "campaign.closed": "Geschlossen: Jeder Beitrag ist erledigt.",
    "campaign.places": "Plätze",
    "campaign.places.left": "{left} von {capacity} frei",
    "campaign.deadline": "Einsendeschluss",
    "campaign.reviewed": "Geprüft",
    "campaign.reviewed.of": "{done} von {promised}",
    "campaign.withdrawn": "{withdrawn} zurückgezogen",
    "button.nominate": "Einreichen",
    "button.review_next": "Nächsten prüfen",
    # Opening, changing and closing one.
    "campaign.confirm": (
        "Die Karte erscheint in {channel}. Stimmt der Einsendeschluss? Er steht in deiner Ortszeit."
    ),
    "campaign.dismissed": "Es wurde keine Kampagne eröffnet.",
    "campaign.created": ("{name} ist offen bis {until}. Die Karte erscheint gleich in {channel}."),
    "campaign.edited": "{name} ist geändert: offen bis {until}, in {channel}.",
    "campaign.drained": (
        "{name} nimmt nichts mehr an. /campaign close schließt sie, sobald jeder Beitrag erledigt"
        " ist."
    ),
    "campaign.closed_now": "{name} ist geschlossen. Die Beiträge erscheinen in {channel}.",
    "campaign.not_allowed": (
        "Steward kann in {channel} nicht schreiben. Dort fehlen „Kanal ansehen“, „Nachrichten"
        " senden“ oder „Links einbetten“."
    ),
    "campaign.which": "Für welche Kampagne?",
    "campaign.which.placeholder": "Wähle eine Kampagne",
    "campaign.none_open": "Hier ist gerade keine Kampagne offen.",
    # Lists and progress.
    "campaigns.none": "Hier gibt es noch keine Kampagne. /campaign create eröffnet eine.",
    "campaigns.end": "Nach dieser Seite kommt nichts mehr.",
    "campaigns.title": "Kampagnen",
    "campaigns.line.open": (
        "{name} ({slug}) in {channel}: offen bis {until}, {accepted} von {capacity} Plätzen"
        " vergeben"
    ),
    "campaigns.line.draining": (
        "{name} ({slug}) in {channel}: nimmt nichts mehr an, {accepted} von {capacity} Plätzen"
        " vergeben"
    ),
    "campaigns.line.closed": (
        "{name} ({slug}) in {channel}: geschlossen, {accepted} von {capacity} Plätzen vergeben"
    ),
    "progress.accepted": "{bar} {number} von {capacity} Plätzen versprochen",
    "progress.queued": "Warten auf eine Prüfung: {number}",
    "progress.leased": "Werden geprüft: {number}",
    "progress.returned": "Zurück bei den Einreichenden: {number}",
    "progress.done": "Fertig: {number}",
    "progress.withdrawn": "Zurückgezogen: {number}",
    "unfinished.title": "Noch nicht fertig",
    "unfinished.queued": "`{reference}` {title}: wartet auf eine Prüfung, eingereicht {since}",
    "unfinished.leased": "`{reference}` {title}: bei {reviewer}, bis {until}",
    "unfinished.returned": "`{reference}` {title}: {author} soll {reviewer} antworten",
    "unfinished.more": "und {number} weitere: /campaign progress",
    "unfinished.do": (
        "Was wartet, wird mit /review next übernommen. Was irgendwo festhängt, geht mit /review"
        " reclaim zurück. Wer eingereicht hat, antwortet oder nimmt /withdraw."
    ),
    # What can't be undone is asked twice.
    "confirm.close_campaign": (
        "{name} schließen? Sie lässt sich nicht wieder öffnen, und die Beiträge werden in {channel}"
        " gezeigt."
    ),
    "confirm.close_campaign.again": "{name} wirklich jetzt schließen?",
    "confirm.backed_out": "Es wurde nichts geändert.",
    "button.yes": "Ja",
    "button.cancel": "Abbrechen",
    # The announcement, and the gallery.
    "gallery.title": "{name}: Das habt ihr gemacht",
    "gallery.none": "Kein Beitrag wurde fertig.",
    "gallery.page": "{first} bis {last} von {total}",
    "gallery.end": "Nach dieser Seite kommt nichts mehr.",
    "gallery.thanks": "Danke, {people}!",
    "work.open": "Öffnen",
    "work.by": "von {author}",
    # What is handed out: a table, and a web page of what was made.
    "export.ready": (
        "{name}: jeder Beitrag als Tabelle, und was fertig ist als Seite für jeden Browser."
    ),
    "export.left_out": "{number} weitere Beiträge passten nicht in die Tabelle.",
    "made.guild": "Server",
    "made.closed": "Einsendeschluss",
    "made.works": "Arbeiten",
    "made.by": "von",
    "made.open": "Öffnen",
    "made.why": "Warum man es sehen sollte",
    "made.review": "Besprechung",
    "made.empty": "Noch ist nichts fertig.",
    "made.left_out.one": "Eine weitere Arbeit passt nicht in diese Datei.",
    "made.left_out.many": "{number} weitere Arbeiten passen nicht in diese Datei.",
}
