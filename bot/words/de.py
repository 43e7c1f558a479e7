"""Deutsch."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # Names.
    "somebody": "jemand anderem",
    "team": "das Team",
    # Refusals: what happened, and what to do next.
    "refused.active_request_not_owned": (
        "Dieses Gespräch gehört {owner}. Bitte dort um eine Übergabe."
    ),
    "refused.claim_not_owned": "Du hältst diese Anfrage nicht. Die Karte zeigt, wer sie hat.",
    "refused.concurrent_update": (
        "Jemand war gerade schneller. Sieh auf die Karte und versuch es noch einmal."
    ),
    "refused.cooldown": "Du hast eben erst gefragt. Wieder möglich: {until}.",
    "refused.desk_not_ready": (
        "Dieser Server hat noch kein Hilfe-Team eingerichtet. Wer den Server verwalten darf, macht"
        " das mit /desk setup."
    ),
    "refused.empty_topic": (
        "Das Thema enthält keinen lesbaren Text. Sag in wenigen Worten, worum es geht."
    ),
    "refused.lease_not_elapsed": "Die Frist läuft noch. Versuch es danach noch einmal.",
    "refused.no_help_channel": (
        "Es gibt keinen Kanal für private Threads. Wer den Server verwalten darf, nennt einen mit"
        " /desk setup (help_channel)."
    ),
    "refused.not_organizer": (
        "Das darf nur die Organisation: ihre Rolle, oder wer den Server verwalten darf."
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
    "refused.stale_delivery_failure": "Dieser Versuch ist vorbei. Die Karte zeigt den Stand.",
    "refused.stale_delivery_result": "Dieser Versuch ist vorbei. Die Karte zeigt den Stand.",
    "refused.still_checking": (
        "Steward findet es noch selbst heraus. Falls nicht, wirst du hier gefragt."
    ),
    "refused.only_in_guild": "Das geht auf einem Server, nicht hier.",
    "refused.stale_button": (
        "Dieser Knopf gilt nicht mehr. Gib den Befehl noch einmal, oder sieh auf die neueste Karte."
    ),
    "refused.your_text": "Das hattest du geschrieben",
    "refused.still_starting": (
        "Steward ist eben erst gestartet und kennt diesen Server noch nicht. Gleich noch einmal."
    ),
    "failed": (
        "Bei uns ist etwas schiefgegangen. Versuch es in einer Minute noch einmal. Bleibt es so,"
        " nenn der Organisation diese Nummer: {ref}"
    ),
    "command.outdated": (
        "Dieser Befehl hat sich geändert. Lade Discord neu (Strg+R), oder versuch es in ein paar"
        " Minuten noch einmal."
    ),
    "command.unknown_option": (
        "Steward sieht nicht, was du gewählt hast. Gib ihm dort „Kanal ansehen“, oder wähl neu."
    ),
    # Asking, and what a member sees of it.
    "form.title": "Um Hilfe bitten",
    "form.topic": "Worum geht es?",
    "form.topic.hint": "In wenigen Worten",
    "form.details": "Einzelheiten (wenn du magst)",
    "receipt.title": "Anfrage {reference}",
    "receipt.next": "Wie es weitergeht",
    "receipt.next.dm": (
        "Jemand aus dem Team übernimmt und schreibt dir. Lass Direktnachrichten von diesem Server"
        " zu."
    ),
    "receipt.footer": "Nur du siehst das. /requests zeigt es wieder.",
    "receipt.next.thread": (
        "Jemand aus dem Team übernimmt sie und schreibt dir in einem privaten Thread hier."
    ),
    "member.queued": "Wartet auf jemanden aus dem Team",
    "member.claimed": "Jemand aus dem Team hat sie",
    "member.opening": "Jemand aus dem Team hat sie und schreibt dir gerade",
    "member.needs_reconcile": "Jemand aus dem Team hat sie und schreibt dir gerade",
    "member.active": "Jemand aus dem Team hat sie. Ihr redet in deinen Direktnachrichten",
    "member.resolved": "Erledigt",
    "member.withdrawn": "Zurückgezogen",
    "member.dropped": "Vom Team beendet",
    "member.active.thread": "Jemand aus dem Team hat sie. Ihr redet in einem privaten Thread",
    "member.problem.dms_closed": (
        "Steward konnte dir nicht schreiben: Deine Direktnachrichten von diesem Server sind aus."
        " Schalte sie in den Privatsphäre-Einstellungen des Servers ein, oder warte: Das Team kann"
        " einen privaten Thread öffnen."
    ),
    "member.problem.other": "Steward hat dich noch nicht erreicht. Das Team weiß es.",
    "place.next": "Du bist als Nächstes dran.",
    "place.one": "1 ist vor dir dran.",
    "place.some": "{before} sind vor dir dran.",
    "place.many": "Mehr als {before} sind vor dir dran.",
    "own.none": "Du hast noch um nichts gebeten. /help fragt das Team.",
    "own.erased": "worum es ging, ist gelöscht",
    "own.title": "Deine Anfragen",
    "step.ask": "Gefragt: {at}",
    "step.claim": "Vom Team übernommen: {at}",
    "step.release": "Wartet wieder: {at}",
    "step.lease_elapsed.queued": "Wartet wieder: {at}",
    "step.delivery_failed.queued": "Steward konnte dir nicht schreiben: {at}",
    "step.dm_opened": "Gespräch begonnen: {at}",
    "step.hand_over": "Jemand anderem im Team übergeben: {at}",
    "step.resolve": "Erledigt: {at}",
    "step.end": "Von dir beendet: {at}",
    "step.withdraw": "Zurückgezogen: {at}",
    "step.drop": "Vom Team beendet: {at}",
    "withdrawn": "{reference} ist zurückgezogen. Frag jederzeit neu mit /help.",
    "withdraw.too_late": "Zum Zurückziehen ist es zu spät. Hier siehst du den Stand.",
    "ended": "Das Gespräch {reference} ist beendet. Mit /help kannst du jederzeit wieder fragen.",
    "ended.not_open": (
        "Dieses Gespräch ist nicht (oder noch nicht) offen. /requests zeigt den Stand."
    ),
    "ended.not_yours": "Nur wer gefragt hat, kann das Gespräch hier beenden.",
    # The panel, and opening a request for a member.
    "panel.title": "Brauchst du Hilfe?",
    "panel.text": "Frag das Team vertraulich. Nur das Team liest, was du schreibst.",
    "panel.posted": "Der Aushang erscheint gleich in {channel}.",
    "panel.not_allowed": (
        "Steward kann in {channel} nicht schreiben. Nötig sind dort Kanal anzeigen, Nachrichten"
        " senden und Links einbetten."
    ),
    "opened": "{reference} ist für {member} angelegt und deine. Steward schreibt jetzt.",
    "open.bot": "Das ist ein Bot. Anfragen sind für Menschen.",
    "open.open_request_exists": (
        "{member} hat schon eine offene Anfrage: {reference}. /desk claim übernimmt sie, solange"
        " sie wartet."
    ),
    "open.cooldown": "{member} hat eben erst gefragt. Wieder möglich: {until}.",
    # Coordinators: the queue, claims, what is theirs.
    "claimed": "{reference} ist deine. Steward schreibt dem Mitglied; der Thread folgt.",
    "released": "{reference} wartet wieder.",
    "extended": "{reference} ist deine bis {until}.",
    "queue.empty": "Nichts wartet. Gut gemacht.",
    "queue.title": "Es warten: {total}",
    "queue.line": "`{reference}` {member} {asked}: {topic}",
    "queue.end": "Nach dieser Seite kommt nichts mehr. Es warten: {total}",
    "mine.none": "Du hältst gerade nichts. /desk queue zeigt, was wartet.",
    "mine.title": "Bei dir: {number}",
    "mine.line": "`{reference}` {member}: {topic}, {state}",
    "mine.claimed": "bei dir bis",
    "mine.opening": "Steward schreibt gerade",
    "mine.needs_reconcile": "Steward prüft, ob die Nachricht angekommen ist",
    "mine.active": "im Gespräch",
    # Setting the desk up.
    "setup.not_allowed": "Das darf nur, wer den Server verwalten darf.",
    "setup.timezone": "Diese Zeitzone kennen wir nicht. Wähl eine aus der Liste beim Tippen.",
    "setup.needs_help_channel": (
        "Antworten in privaten Threads brauchen einen help_channel: Nenn einen und versuch es noch"
        " einmal."
    ),
    "setup.everyone_role": "@everyone kann nicht das Team sein. Leg eine Rolle dafür an.",
    "setup.no_channel": "Steward sieht den Kanal nicht. Gib ihm dort das Recht Kanal anzeigen.",
    "setup.expired": "Das wartet nicht mehr. Gib /desk setup noch einmal ein.",
    "setup.dismissed": "Nichts wurde geändert.",
    "setup.missing.title": "Es fehlen Rechte",
    "setup.missing": (
        "Gib sie Steward in den Einstellungen des Kanals, dann noch einmal /desk setup."
    ),
    "setup.public.title": "Alle könnten mitlesen",
    "setup.public": (
        "{channel} ist für @everyone offen. Nimm @everyone dort Kanal anzeigen, gib es dem Team und"
        " Steward, dann noch einmal /desk setup."
    ),
    "setup.confirm.title": "Ist das richtig?",
    "setup.confirm": "Anfragen erscheinen in {channel}. Alle mit diesen Rollen lesen mit.",
    "setup.readers": "Wer den Kanal sieht",
    "setup.readers.none": "Keine Rolle",
    "setup.same_channel": (
        "help_channel kann nicht der Kanal des Teams sein: Mitglieder müssen ihn sehen. Nenn einen"
        " anderen."
    ),
    "setup.blind": (
        "{role} sieht den Kanal nicht. Gib der Rolle dort Kanal anzeigen, sonst antwortet niemand."
    ),
    "setup.more": "und {number} mehr",
    "setup.done.title": "Das Team kann anfangen",
    "setup.done": "Anfragen erscheinen in {channel}. Mitglieder fragen mit /help.",
    "permission.view_channel": "Kanal anzeigen",
    "permission.send_messages": "Nachrichten senden",
    "permission.embed_links": "Links einbetten",
    "permission.attach_files": "Dateien anhängen",
    "permission.read_message_history": "Nachrichtenverlauf lesen",
    "permission.add_reactions": "Reaktionen hinzufügen",
    "permission.create_public_threads": "Öffentliche Threads erstellen",
    "permission.create_private_threads": "Private Threads erstellen",
    "permission.send_messages_in_threads": "Nachrichten in Threads senden",
    "permission.manage_threads": "Threads verwalten",
    # Buttons.
    "button.confirm": "Bestätigen",
    "button.dismiss": "Verwerfen",
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
    "button.first": "Erste Seite",
    "button.next": "Weiter",
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
        "Bei {owner}. Discord lässt Steward nicht sehen, ob die Nachricht angekommen ist. Frag das"
        " Mitglied und drück dann, was stimmt."
    ),
    "card.active": "Im Gespräch mit {owner}",
    "card.active.unassigned": "Im Gespräch, ohne jemanden aus dem Team",
    "card.resolved": "Erledigt",
    "card.withdrawn": "Vom Mitglied zurückgezogen",
    "card.dropped": "Aufgegeben von {owner}: {reason}",
    "card.problem": "Problem",
    "card.undelivered": "Beim Mitglied nicht angekommen",
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
    "problem.delivery_outcome_unknown": "Discord sagt nicht, ob die Nachricht ankam.",
    "problem.never_known": (
        "Discord hat nie erkennen lassen, ob die erste Nachricht angekommen ist."
    ),
    "problem.harmful_link": "Discord sperrt einen Link im Text.",
    "problem.explicit_content": "Discord hält den Text für anstößig.",
    "problem.thread_locked": "Der Thread ist gesperrt, und Steward fehlt „Threads verwalten“.",
    "problem.too_many_threads": "Auf dem Server sind zu viele Threads offen.",
    "problem.history_too_long": (
        "Seither wurde dort zu viel geschrieben, um die Nachricht zu suchen."
    ),
    "problem.guild_unavailable": "Discord hat gerade Schwierigkeiten mit diesem Server.",
    "problem.unknown_guild": "Steward ist nicht mehr auf dem Server.",
    "problem.invalid_form": (
        "Discord nimmt die Nachricht so nicht an. Sag es denen, die Steward betreiben."
    ),
    "problem.too_large": "Eine Datei ist zu groß für Discord.",
    "problem.empty_message": "Es gab nichts zu senden.",
    "problem.thread_archived": "Der Thread ist archiviert.",
    "problem.write_rate": "Discord bittet Steward, langsamer zu schreiben.",
    "problem.overloaded": "Discord hat gerade zu viel zu tun.",
    # The first message, and the thread.
    "first.title": "Deine Anfrage {reference}",
    "first.hello": (
        "{owner} von {guild} hat deine Anfrage übernommen. Schreib hier: Das Team liest es, und"
        " die Antworten kommen hierher. Brauchst du keine Hilfe mehr, dann beende sie hier."
    ),
    "first.topic": "Thema",
    "thread.intro": (
        "{member} weiß, dass die Anfrage bei {owner} liegt. Was du hier schreibst oder /reply"
        " mitgibst, kommt dort als Direktnachricht an, und die Antworten kommen hierher. Was mit"
        " // beginnt, bleibt im Team."
    ),
    "thread.intro.private": (
        "{member} weiß, dass die Anfrage bei {owner} liegt. Was du hier schreibst oder /reply"
        " mitgibst, kommt im privaten Thread an, und die Antworten kommen hierher. Was mit //"
        " beginnt, bleibt im Team. Schreib hier, nicht dort: So kann das ganze Team folgen."
    ),
    # Told to whoever set the desk up.
    "desk.needs_you": "Das Hilfe-Team von {guild} braucht dich",
    "desk.needs_you.do": "Führ dort /desk setup aus: es nennt, was fehlt. Nichts geht verloren.",
    "desk.problem.help_channel_deleted": "Der Kanal für private Threads wurde gelöscht.",
    "desk.problem.coordinator_role_deleted": "Die Rolle des Teams wurde gelöscht.",
    "desk.problem.unknown_channel": "Den Kanal des Teams gibt es nicht mehr.",
    "desk.problem.missing_access": "Steward kann den Kanal des Teams nicht sehen.",
    "desk.problem.missing_permissions": "Steward fehlt im Kanal des Teams ein Recht.",
    "desk.problem.thread_deleted": (
        "Jemand hat den Thread einer Anfrage gelöscht. Sie hat jetzt eine neue Karte mit neuem"
        " Thread."
    ),
    "desk.problem.no_message_content": (
        "Discord zeigt Steward nicht mehr, was das Team in den Threads der Anfragen schreibt:"
        " Jemand hat im Entwicklerportal das Message-Content-Recht abgeschaltet. An die Mitglieder"
        " geht, was dort /reply mitgegeben wird. Ist das Recht wieder da, muss Steward neu"
        " gestartet werden."
    ),
    "desk.problem.other": "Discord lehnt ab, was Steward im Kanal tun muss ({code}).",
    # Conversations.
    "button.resolve": "Erledigt",
    "button.hand_over": "Übergeben",
    "button.take": "Übernehmen",
    "resolve.title": "Anfrage abschließen",
    "resolve.label": "Ergebnis (das Mitglied liest es)",
    "ended.resolution": "Ergebnis",
    "resolved": "{reference} ist erledigt. Das Mitglied erfährt es.",
    "handover.title": "Übergeben",
    "handover.label": "An wen aus dem Team?",
    "handed_over": "{reference} gehört jetzt {to}.",
    "taken": "{reference} ist deine.",
    "given_back": "{reference} wartet darauf, dass sie jemand übernimmt. Das Gespräch läuft.",
    "ended.title": "Deine Anfrage {reference} ist geschlossen",
    "ended.by_you": "Du hast sie beendet. Bei {guild} kannst du mit /help jederzeit wieder fragen.",
    "ended.resolved": (
        "{owner} von {guild} hat sie erledigt. Mit /help kannst du dort jederzeit wieder fragen."
    ),
    "ended.by_member": "{member} hat das Gespräch beendet.",
    "ended.at_desk": "{owner} hat die Anfrage erledigt.",
    "undelivered.title": "Nicht zugestellt: {reference}",
    "undelivered.what.ended": "{member} weiß nicht, dass die Anfrage abgeschlossen ist.",
    "undelivered.what.other": "{member} hat eine Nachricht zur Anfrage nicht bekommen.",
    "undelivered.do.dms_closed": (
        "Sag es auf einem anderen Weg, etwa auf dem Server, und bitte darum, Direktnachrichten von"
        " dort zu erlauben."
    ),
    "undelivered.do.no_mutual_guild": "Steward erreicht das Mitglied nicht mehr: nichts zu tun.",
    "undelivered.do.unknown_user": "Steward erreicht das Mitglied nicht mehr: nichts zu tun.",
    "undelivered.do.automod": (
        "Sag es mit anderen Worten, auf dem Server oder mit /desk open. Wer den Server leitet, kann"
        " Steward in AutoMod ausnehmen."
    ),
    "undelivered.do.harmful_link": ("Sag es ohne den Link, auf dem Server oder mit /desk open."),
    "undelivered.do.explicit_content": (
        "Sag es mit anderen Worten, auf dem Server oder mit /desk open."
    ),
    "undelivered.do.other": (
        "Steward versucht es nicht noch einmal. Sag es auf dem Server oder mit /desk open."
    ),
    "refused.empty_resolution": "Das Ergebnis enthält keinen lesbaren Text. Sag, wie es ausging.",
    "refused.target_not_staff": "Diese Person gehört hier nicht zum Team: Ihr fehlt {role}.",
    # Following up.
    "unreached.member": (
        "Jemand aus dem Team wollte dir schreiben, aber deine Direktnachrichten sind für uns zu."
        " Erlaube sie in den Privatsphäre-Einstellungen dieses Servers. Deine Anfrage behält ihren"
        " Platz."
    ),
    "unreached.other": (
        "Jemand aus dem Team wollte dir schreiben, und es ging nicht. Deine Anfrage behält ihren"
        " Platz; das Team sieht, warum."
    ),
    "unreached.owner": (
        "{reference} wartet wieder: {problem} Auf der Karte kannst du einen privaten Thread öffnen."
    ),
    "unreached.owner.thread": "{reference} wartet wieder: {problem}",
    "claim_ending": (
        "Deine Frist für {reference} endet {until}. Verlängern auf der Karte behält sie."
    ),
}
