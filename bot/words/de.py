"""Deutsch."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    "somebody": "jemand anderem",
    "team": "das Team",
    # Refusals: what happened, and what to do next.
    "refused.active_request_not_owned": (
        "Dieses Gespräch gehört {owner}. Bitte dort um eine Übergabe."
    ),
    "refused.claim_not_owned": ("Du hältst diese Anfrage nicht. Die Karte zeigt, wer sie hat."),
    "refused.concurrent_update": (
        "Jemand war gerade schneller. Sieh auf die Karte und versuch es noch einmal."
    ),
    "refused.cooldown": "Du hast eben erst gefragt. Wieder möglich: {until}.",
    "refused.desk_not_ready": (
        "Dieser Server hat noch kein Hilfe-Team eingerichtet. Wer den Server verwalten darf,"
        " macht das mit /desk setup."
    ),
    "refused.empty_topic": (
        "Das Thema enthält keinen lesbaren Text. Sag in wenigen Worten, worum es geht."
    ),
    "refused.lease_not_elapsed": "Die Frist läuft noch. Versuch es danach noch einmal.",
    "refused.no_help_channel": (
        "Es gibt keinen Kanal für private Threads. Wer den Server verwalten darf, nennt einen mit"
        " /desk setup (help_channel)."
    ),
    "refused.not_staff": (
        "Das dürfen nur Koordinatoren, mit der Rolle {role}. Wenn du dazugehörst, frag die"
        " Organisation."
    ),
    "refused.open_request_exists": (
        "Du hast schon eine offene Anfrage: {reference}. Sie behält ihren Platz. Du siehst sie mit"
        " /requests."
    ),
    "refused.own_request": (
        "Das ist deine eigene Anfrage. Jemand anderes aus dem Team muss sie übernehmen."
    ),
    "refused.reconciliation_mismatch": (
        "Ein neuerer Versuch läuft, darum zählt diese Antwort nicht mehr. Sieh auf die Karte."
    ),
    "refused.request_not_available": (
        "Diese Anfrage ist schon bei {owner}. /desk queue zeigt, was noch wartet."
    ),
    "refused.request_not_available.unowned": (
        "Dafür ist diese Anfrage nicht mehr im richtigen Stand. Die Karte oder /requests zeigt ihn."
    ),
    "refused.request_not_found": (
        "So eine Anfrage gibt es hier nicht. Prüf das Kürzel, oder sieh in /desk queue nach."
    ),
    "refused.stale_delivery_failure": ("Dieser Versuch ist vorbei. Die Karte zeigt den Stand."),
    "refused.stale_delivery_result": ("Dieser Versuch ist vorbei. Die Karte zeigt den Stand."),
    "refused.still_checking": (
        "Steward findet es noch selbst heraus. Falls nicht, wirst du hier gefragt."
    ),
    # Cards at the desk.
    "card.asked": "{member} hat gefragt, {asked}",
    "card.details": "Einzelheiten",
    "card.state": "Stand",
    "card.queued": "Wartet auf jemanden aus dem Team",
    "card.queued.again": "Wartet wieder",
    "card.queued.limit": (
        "Wartet. Nach {attempts} Versuchen macht Steward von sich aus nicht weiter: Übernehmen"
        " versucht es noch einmal."
    ),
    "card.claimed": "Bei {owner}, bis {until}",
    "card.opening": "Bei {owner}. Steward schreibt dem Mitglied.",
    "card.needs_reconcile": (
        "Bei {owner}. Steward prüft, ob die Nachricht an das Mitglied angekommen ist."
    ),
    "card.needs_person": (
        "Bei {owner}. Discord lässt Steward nicht sehen, ob die Nachricht angekommen ist."
        " Frag das Mitglied und drück dann, was stimmt."
    ),
    "card.active": "Im Gespräch mit {owner}",
    "card.active.unassigned": "Im Gespräch, ohne jemanden aus dem Team",
    "card.resolved": "Erledigt",
    "card.withdrawn": "Vom Mitglied zurückgezogen",
    "card.dropped": "Aufgegeben von {owner}: {reason}",
    "card.problem": "Problem",
    "button.claim": "Übernehmen",
    "button.give_back": "Zurückgeben",
    "button.extend": "Verlängern",
    "button.private_thread": "Privaten Thread öffnen",
    "button.arrived": "Angekommen",
    "button.absent": "Nicht angekommen",
    "button.drop": "Aufgeben",
    "button.end": "Gespräch beenden",
    "button.ask": "Um Hilfe bitten",
    "button.withdraw": "Zurückziehen",
    "button.next": "Weiter",
    # What a delivery problem means.
    "problem.dms_closed": "Das Mitglied nimmt von diesem Server keine Direktnachrichten an.",
    "problem.no_mutual_guild": "Das Mitglied teilt keinen Server mehr mit Steward.",
    "problem.unknown_user": "Das Konto gibt es nicht mehr, oder das Mitglied ist gegangen.",
    "problem.missing_access": "Steward kann den Kanal nicht sehen.",
    "problem.missing_permissions": "Steward fehlt dort ein Recht. /desk setup nennt es.",
    "problem.forbidden": "Discord verbietet es Steward.",
    "problem.unknown_channel": "Den Kanal gibt es nicht mehr.",
    "problem.no_help_channel": "Es gibt keinen Kanal für private Threads: siehe /desk setup.",
    "problem.automod": "AutoMod auf dem Server lehnt den Text ab.",
    "problem.new_dms_paused": "Discord verlangt eine Pause vor neuen Direktnachrichten.",
    "problem.other": "Discord hat abgelehnt: {code}",
    # The first message, and the thread.
    "first.title": "Deine Anfrage {reference}",
    "first.hello": (
        "Hier hilft dir {owner} von {guild}. Schreib hier: Deine Nachrichten gehen an das Team,"
        " und die Antworten kommen zu dir."
    ),
    "first.topic": "Thema",
    "first.footer": "Von Steward, für {guild}",
    "thread.intro": (
        "Das Gespräch mit {member} hat begonnen, in Direktnachrichten. Es liegt bei {owner}."
    ),
    "thread.intro.private": "Das Gespräch mit {member} hat begonnen, in einem privaten Thread.",
    # Told to whoever set the desk up.
    "desk.problem.title": "Das Hilfe-Team von {guild} braucht dich",
    "desk.problem.do": "Führ dort /desk setup aus: es nennt, was fehlt. Nichts geht verloren.",
    "desk.problem.desk_channel_deleted": "Der Kanal des Teams wurde gelöscht.",
    "desk.problem.help_channel_deleted": "Der Kanal für private Threads wurde gelöscht.",
    "desk.problem.coordinator_role_deleted": "Die Rolle des Teams wurde gelöscht.",
    "desk.problem.unknown_channel": "Den Kanal des Teams gibt es nicht mehr.",
    "desk.problem.missing_access": "Steward kann den Kanal des Teams nicht sehen.",
    "desk.problem.missing_permissions": "Steward fehlt im Kanal des Teams ein Recht.",
    "desk.problem.other": "Discord lehnt ab, was Steward im Kanal tun muss ({code}).",
}
