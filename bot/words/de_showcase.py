"""German: campaigns, what is nominated for them, and how it is reviewed."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # Refusals: what happened, and what to do next.
    "refused.author_already_submitted": (
        "Du bist bei {name} schon dabei, mit {reference}. Jede Person hat einen Platz in einer"
        " Kampagne."
    ),
    "refused.button_used": "Das ist schon beantwortet. Eben wurde nichts geändert.",
    "refused.not_your_button": "Dieser Knopf ist für jemand anderen. Es wurde nichts geändert.",
    "refused.campaign_at_capacity": (
        "Alle Plätze in {name} sind vergeben, deshalb wurde nichts eingereicht. Frag die"
        " Organisation, ob es mehr geben wird."
    ),
    "refused.campaign_exists": (
        "Hier gibt es schon eine Kampagne mit dem Namen {name}. Wähle einen anderen."
    ),
    "refused.campaign_not_draining": (
        "{name} kann so noch nicht geschlossen werden: Die Annahme muss beendet sein. Das macht"
        " /campaign drain."
    ),
    "refused.campaign_not_found": (
        "Hier gibt es keine solche Kampagne. /campaign list zeigt, welche es gibt."
    ),
    "refused.campaign_not_open": (
        "{name} nimmt nichts mehr an, und die Bedingungen bleiben, wie sie sind."
    ),
    "refused.empty_name": (
        "Der Name hat keine Buchstaben oder Ziffern. Wähle einen, den man tippen kann."
    ),
    "refused.empty_review": (
        "Darin steht kein lesbarer Text. Sag in wenigen Worten, was du gefunden hast."
    ),
    "refused.empty_title": (
        "Der Titel hat keinen lesbaren Text. Sag in wenigen Worten, was es ist."
    ),
    "refused.entry_already_completed": (
        "{reference} ist schon geprüft und kann nicht mehr zurückgezogen werden. Bitte die"
        " Organisation, den Beitrag wegzulassen."
    ),
    "refused.entry_not_found": "Hier gibt es keinen solchen Beitrag. Prüfe die Kennung.",
    "refused.entry_not_leased": (
        "{reference} wird gerade von niemandem geprüft. Nimm mit /review next den nächsten Beitrag."
    ),
    "refused.entry_not_returned": (
        "{reference} wartet auf keine Antwort von dir mehr. /nominate zeigt, wie es darum steht."
    ),
    "refused.invalid_capacity": (
        "Eine Kampagne braucht mindestens einen Platz, und so viele, wie sie versprochen hat:"
        " {number}."
    ),
    "refused.invalid_deadline": (
        "Der Schluss muss in der Zukunft liegen, zum Beispiel 3d, 12h, Freitag 18 Uhr oder"
        " 31.12.2026 18:00."
    ),
    "refused.invalid_lease": (
        "Das kann gerade nicht übernommen werden. Nimm mit /review next den nächsten Beitrag."
    ),
    "refused.invalid_url": (
        "Diesen Link kann ich nicht zeigen: Er muss mit http:// oder https:// beginnen, darf kein"
        " Passwort enthalten und höchstens 500 Zeichen lang sein."
    ),
    "refused.lease_expired": (
        "Deine Zeit für {reference} war abgelaufen: Der Beitrag ist wieder in der Warteschlange,"
        " und nichts wurde geändert. Nimm ihn mit /review next noch einmal."
    ),
    "refused.lease_token_mismatch": (
        "Diesen Beitrag prüft jetzt {owner}. Nimm mit /review next den nächsten."
    ),
    "refused.lease_token_mismatch.unowned": (
        "Dieser Beitrag wurde seither neu übernommen. /review mine zeigt, was du hast."
    ),
    "refused.not_entry_author": (
        "{reference} ist nicht deins. Das kann nur, wer den Beitrag eingereicht hat."
    ),
    "refused.not_reviewer": (
        "Das können nur Prüfende, mit der Rolle {role}. Wenn du dazugehören solltest, frag die"
        " Organisation."
    ),
    "refused.no_reviewer_role": (
        "Dieser Server hat noch keine Rolle für Prüfende. Wer den Server verwalten darf, nennt eine"
        " mit /desk setup (reviewers)."
    ),
    "refused.submission_deadline_passed": (
        "{name} ist {until} zu Ende gegangen, deshalb wurde nichts eingereicht."
    ),
    "refused.unfinished_entries": (
        "{name} kann noch nicht geschlossen werden: Unfertige Beiträge: {number}. /campaign"
        " progress zeigt, bei wem sie liegen."
    ),
}
