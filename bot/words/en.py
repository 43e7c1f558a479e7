"""English."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # Names.
    "somebody": "somebody else",
    "team": "the team",
    # Refusals: what happened, and what to do next.
    "refused.active_request_not_owned": (
        "This conversation belongs to {owner}. Ask them to hand it over to you."
    ),
    "refused.claim_not_owned": "You don't hold the claim on this request. Its card shows who does.",
    "refused.concurrent_update": "Somebody was faster just now. Look at the card and try again.",
    "refused.cooldown": "You asked a short while ago. You can ask again {until}.",
    "refused.desk_not_ready": (
        "This server has no help desk yet. Somebody with Manage Server sets it up with /desk setup."
    ),
    "refused.empty_topic": "The topic has no readable text. Say in a few words what it is about.",
    "refused.lease_not_elapsed": "That claim is still running. Try again when it has ended.",
    "refused.no_help_channel": (
        "There is no channel for private threads. Somebody with Manage Server names one with /desk"
        " setup (help_channel)."
    ),
    "refused.not_organizer": "Only organizers can do this: the organizers' role, or Manage Server.",
    "refused.not_staff": (
        "Only coordinators can do this, with the role {role}. If you should be one, ask an"
        " organizer."
    ),
    "refused.open_request_exists": (
        "You already have an open request: {reference}. It keeps its place. See it with /requests."
    ),
    "refused.own_request": "This is your own request. Another coordinator has to take it.",
    "refused.reconciliation_mismatch": (
        "A newer try is under way, so this answer no longer counts. Look at the card."
    ),
    "refused.request_not_available": (
        "{owner} has this request. /desk queue shows what still waits."
    ),
    "refused.request_not_available.unowned": (
        "This request isn't in a state for that any more. Its card, or /requests, shows where it"
        " stands."
    ),
    "refused.request_not_found": (
        "There is no such request here. Check the reference, or look at /desk queue."
    ),
    "refused.stale_delivery_failure": "That try is over. Look at the card for where it stands.",
    "refused.stale_delivery_result": "That try is over. Look at the card for where it stands.",
    "refused.still_checking": (
        "Steward is still finding out by itself. You will be asked here if it can't."
    ),
    "refused.only_in_guild": "This works in a server, not here.",
    "refused.stale_button": (
        "This button no longer works. Run the command again, or look at the newest card."
    ),
    "refused.your_text": "What you wrote",
    "refused.still_starting": (
        "Steward has just started and doesn't know this server yet. Try again in a few seconds."
    ),
    "failed": (
        "Something went wrong on our side. Try again in a minute. If it stays, tell an organizer"
        " this reference: {ref}"
    ),
    "command.outdated": (
        "This command has changed. Reload Discord (Ctrl+R), or try again in a few minutes."
    ),
    "command.unknown_option": (
        "Steward can't see what you chose. Give it View Channel there, or choose again."
    ),
    # Asking, and what a member sees of it.
    "form.title": "Ask for help",
    "form.topic": "What is it about?",
    "form.topic.hint": "In a few words",
    "form.details": "Details (if you like)",
    "receipt.title": "Request {reference}",
    "receipt.next": "What happens next",
    "receipt.next.dm": (
        "A coordinator takes it and writes to you. Keep direct messages from this server open."
    ),
    "receipt.footer": "Only you see this. /requests shows it again.",
    "receipt.next.thread": (
        "A coordinator takes it and writes to you in a private thread of this server."
    ),
    "member.queued": "Waiting for a coordinator",
    "member.claimed": "A coordinator has it",
    "member.opening": "A coordinator has it and is writing to you",
    "member.needs_reconcile": "A coordinator has it and is writing to you",
    "member.active": "A coordinator has it. You talk in your direct messages with Steward",
    "member.resolved": "Resolved",
    "member.withdrawn": "Withdrawn",
    "member.dropped": "Ended by the team",
    "member.active.thread": "A coordinator has it. You talk in a private thread of the server",
    "member.problem.dms_closed": (
        "Steward could not write to you: your direct messages from this server are closed. Open"
        " them in the server's privacy settings, or wait: the team can open a private thread."
    ),
    "member.problem.other": "Steward could not reach you yet. The team knows.",
    "place.next": "You are next.",
    "place.one": "1 before you.",
    "place.some": "{before} before you.",
    "place.many": "More than {before} before you.",
    "own.none": "You have asked for nothing yet. /help asks the team.",
    "own.erased": "what it was about has been erased",
    "own.title": "Your requests",
    "step.ask": "Asked: {at}",
    "step.claim": "Taken by a coordinator: {at}",
    "step.release": "Waiting again: {at}",
    "step.lease_elapsed.queued": "Waiting again: {at}",
    "step.delivery_failed.queued": "Steward could not write to you: {at}",
    "step.dm_opened": "Conversation begun: {at}",
    "step.hand_over": "Handed to another coordinator: {at}",
    "step.resolve": "Resolved: {at}",
    "step.end": "Ended by you: {at}",
    "step.withdraw": "Withdrawn: {at}",
    "step.drop": "Ended by the team: {at}",
    "withdrawn": "{reference} is withdrawn. Ask again any time with /help.",
    "withdraw.too_late": "It is too late to withdraw this one. Here is where it stands.",
    "ended": "The conversation {reference} has ended. Ask again any time with /help.",
    "ended.not_open": (
        "This conversation isn't open, or not yet. /requests shows where your request stands."
    ),
    "ended.not_yours": "Only the member who asked can end this conversation here.",
    # The panel, and opening a request for a member.
    "panel.title": "Need help?",
    "panel.text": "Ask the team in private. Only they read what you write.",
    "panel.posted": "The panel appears in {channel} in a moment.",
    "panel.not_allowed": (
        "Steward can't write in {channel}. It needs View Channel, Send Messages and Embed Links"
        " there."
    ),
    "opened": "{reference} is asked for {member}, and yours. Steward writes to them now.",
    "open.bot": "That is a bot. Requests are for people.",
    "open.open_request_exists": (
        "{member} already has an open request: {reference}. /desk claim takes it while it waits."
    ),
    "open.cooldown": "{member} asked a short while ago. Possible again {until}.",
    # Coordinators: the queue, claims, what is theirs.
    "claimed": "{reference} is yours. Steward writes to the member now; the thread follows.",
    "released": "{reference} waits in the queue again.",
    "extended": "{reference} is yours until {until}.",
    "queue.empty": "Nothing waits. Well done.",
    "queue.title": "Waiting: {total}",
    "queue.line": "`{reference}` {member} {asked}: {topic}",
    "queue.end": "Nothing more comes after that page. Waiting: {total}",
    "mine.none": "You hold nothing just now. /desk queue shows what waits.",
    "mine.title": "Yours: {number}",
    "mine.line": "`{reference}` {member}: {topic}, {state}",
    "mine.claimed": "claimed until",
    "mine.opening": "Steward is writing to them",
    "mine.needs_reconcile": "Steward is checking whether its message arrived",
    "mine.active": "in conversation",
    # Setting the desk up.
    "setup.not_allowed": "Only somebody with Manage Server can set the desk up.",
    "setup.timezone": "That is no time zone we know. Choose one from the list as you type.",
    "setup.needs_help_channel": (
        "Answering in private threads needs a help_channel: name one and run it again."
    ),
    "setup.everyone_role": "@everyone can't be the team. Make a role for coordinators.",
    "setup.no_channel": "Steward can't see that channel. Give it View Channel there.",
    "setup.expired": "This is no longer waiting. Run /desk setup again.",
    "setup.dismissed": "Nothing was changed.",
    "setup.missing.title": "Some permissions are missing",
    "setup.missing": "Give Steward these in the channel's settings, then run /desk setup again.",
    "setup.public.title": "Everybody could read the desk",
    "setup.public": (
        "{channel} is open to @everyone. Take View Channel from @everyone there, give it to the"
        " coordinators and to Steward, then run /desk setup again."
    ),
    "setup.confirm.title": "Is this right?",
    "setup.confirm": "Requests will appear in {channel}. Everybody with these roles reads along.",
    "setup.readers": "Who can see the desk",
    "setup.readers.none": "No role",
    "setup.same_channel": (
        "The help_channel can't be the desk's own channel: members have to see it. Name another."
    ),
    "setup.blind": "{role} can't see the channel. Give it View Channel there, or nobody answers.",
    "setup.more": "and {number} more",
    "setup.done.title": "The desk is ready",
    "setup.done": "Requests appear in {channel}. Members ask with /help.",
    "permission.view_channel": "View Channel",
    "permission.send_messages": "Send Messages",
    "permission.embed_links": "Embed Links",
    "permission.attach_files": "Attach Files",
    "permission.read_message_history": "Read Message History",
    "permission.add_reactions": "Add Reactions",
    "permission.create_public_threads": "Create Public Threads",
    "permission.create_private_threads": "Create Private Threads",
    "permission.send_messages_in_threads": "Send Messages in Threads",
    "permission.manage_threads": "Manage Threads",
    # Buttons.
    "button.confirm": "Confirm",
    "button.dismiss": "Dismiss",
    "button.claim": "Claim",
    "button.give_back": "Give back",
    "button.extend": "Extend",
    "button.private_thread": "Open a private thread instead",
    "button.arrived": "It arrived",
    "button.absent": "It did not arrive",
    "button.drop": "Drop it",
    "button.end": "End conversation",
    "button.ask": "Ask for help",
    "button.withdraw": "Withdraw",
    "button.first": "First page",
    "button.next": "Next",
    # Cards at the desk.
    "card.asked": "{member} asked {asked}",
    "card.details": "Details",
    "card.state": "State",
    "card.queued": "Waiting for a coordinator",
    "card.queued.again": "Waiting again",
    "card.queued.limit": (
        "Waiting. After {attempts} tries Steward has stopped trying by itself: a claim tries once"
        " more."
    ),
    "card.claimed": "{owner} has it, until {until}",
    "card.opening": "{owner} has it. Steward is writing to the member.",
    "card.needs_reconcile": (
        "{owner} has it. Steward is checking whether its message to the member arrived."
    ),
    "card.needs_person": (
        "{owner} has it. Discord doesn't let Steward see whether its message arrived. Ask the"
        " member, then press what is so."
    ),
    "card.active": "In conversation with {owner}",
    "card.active.unassigned": "In conversation, with no coordinator",
    "card.resolved": "Resolved",
    "card.withdrawn": "Withdrawn by the member",
    "card.dropped": "Dropped by {owner}: {reason}",
    "card.problem": "Problem",
    "card.undelivered": "Not delivered to the member",
    # What a delivery problem means.
    "problem.dms_closed": "The member takes no direct messages from this server.",
    "problem.no_mutual_guild": "The member shares no server with Steward any more.",
    "problem.unknown_user": "The member's account is gone, or they have left.",
    "problem.missing_access": "Steward can't see the channel.",
    "problem.missing_permissions": "Steward lacks a permission there. /desk setup names it.",
    "problem.forbidden": "Discord forbids it to Steward.",
    "problem.unknown_channel": "The channel is gone.",
    "problem.no_help_channel": "There is no channel for private threads: see /desk setup.",
    "problem.automod": "The server's AutoMod refuses the text.",
    "problem.new_dms_paused": "Discord asks for a pause before new direct messages.",
    "problem.other": "Discord refused: {code}",
    "problem.delivery_outcome_unknown": "Discord has not said whether the message arrived.",
    "problem.never_known": "Discord never let Steward see whether the first message arrived.",
    "problem.harmful_link": "Discord blocks a link in the text.",
    "problem.explicit_content": "Discord takes the text for explicit content.",
    "problem.thread_locked": "The thread is locked, and Steward lacks Manage Threads.",
    "problem.too_many_threads": "The server has too many open threads.",
    "problem.history_too_long": "Too much has been written there since to look for the message.",
    "problem.guild_unavailable": "Discord has trouble with this server just now.",
    "problem.unknown_guild": "Steward is no longer in the server.",
    "problem.invalid_form": "Discord can't take what Steward wrote: tell its operator.",
    "problem.too_large": "A file is too large for Discord.",
    "problem.empty_message": "There was nothing to send.",
    "problem.thread_archived": "The thread is archived.",
    "problem.write_rate": "Discord asks Steward to write more slowly.",
    "problem.overloaded": "Discord has too much to do just now.",
    # The first message, and the thread.
    "first.title": "Your request {reference}",
    "first.hello": (
        "{owner} from {guild} has taken your request. Write here: the team reads it, and their"
        " answers come here. When you no longer need help, end it here."
    ),
    "first.topic": "Topic",
    "thread.intro": (
        "{member} knows that {owner} has the request. What you write here goes to them by direct"
        " message, as does what you give to /reply, and their answers come here. What begins with"
        " // stays at the desk."
    ),
    "thread.intro.private": (
        "{member} knows that {owner} has the request. What you write here goes to their private"
        " thread, as does what you give to /reply, and their answers come here. What begins with"
        " // stays at the desk. Write here, not there: so the whole team can follow."
    ),
    # Told to whoever set the desk up.
    "desk.needs_you": "The help desk of {guild} needs you",
    "desk.needs_you.do": "Run /desk setup there: it names what is missing. Nothing is lost.",
    "desk.problem.help_channel_deleted": "The channel for private threads was deleted.",
    "desk.problem.coordinator_role_deleted": "The coordinators' role was deleted.",
    "desk.problem.unknown_channel": "The desk's channel is gone.",
    "desk.problem.missing_access": "Steward can't see the desk's channel.",
    "desk.problem.missing_permissions": "Steward lacks a permission in the desk's channel.",
    "desk.problem.thread_deleted": (
        "Somebody deleted the thread of a request. It has a new card and a new thread by now."
    ),
    "desk.problem.no_message_content": (
        "Discord no longer shows Steward what coordinators write in the threads of requests:"
        " somebody turned the message content intent off in the developer portal. Members get"
        " what /reply in such a thread is given. With the intent on again, Steward has to be"
        " started anew."
    ),
    "desk.problem.other": "Discord refuses what Steward has to do at the desk ({code}).",
    # Conversations.
    "button.resolve": "Resolve",
    "button.hand_over": "Hand over",
    "button.take": "Take",
    "resolve.title": "Resolve the request",
    "resolve.label": "Resolution (the member reads it)",
    "ended.resolution": "Resolution",
    "resolved": "{reference} is resolved. The member is told.",
    "handover.title": "Hand over",
    "handover.label": "To which coordinator?",
    "handed_over": "{reference} belongs to {to} now.",
    "taken": "{reference} is yours.",
    "given_back": "{reference} waits for somebody to take it. The conversation goes on.",
    "ended.title": "Your request {reference} is closed",
    "ended.by_you": "You ended it. Ask {guild} again any time with /help there.",
    "ended.resolved": "{owner} from {guild} has resolved it. Ask again any time with /help there.",
    "ended.by_member": "{member} has ended the conversation.",
    "ended.at_desk": "{owner} has resolved the request.",
    "undelivered.title": "Not delivered: {reference}",
    "undelivered.what.ended": "{member} has not been told that the request is closed.",
    "undelivered.what.other": "{member} has not got a message about the request.",
    "undelivered.do.dms_closed": (
        "Tell them another way, for example in the server, and ask them to allow direct messages"
        " from it."
    ),
    "undelivered.do.no_mutual_guild": "Steward can't reach them any more. There is nothing to do.",
    "undelivered.do.unknown_user": "Steward can't reach them any more. There is nothing to do.",
    "undelivered.do.automod": (
        "Tell them in other words, in the server or with /desk open. An organizer can let Steward"
        " through in AutoMod."
    ),
    "undelivered.do.harmful_link": (
        "Tell them without the link, in the server or with /desk open."
    ),
    "undelivered.do.explicit_content": (
        "Tell them in other words, in the server or with /desk open."
    ),
    "undelivered.do.other": (
        "Steward doesn't try again. Tell them in the server, or with /desk open."
    ),
    "refused.empty_resolution": "The resolution has no readable text. Say how it was resolved.",
    "refused.target_not_staff": "That person isn't a coordinator here: they lack the role {role}.",
    # Following up.
    "unreached.member": (
        "A coordinator wanted to write to you, but your direct messages are closed to us. Allow"
        " direct messages from this server in its privacy settings. Your request keeps its place."
    ),
    "unreached.other": (
        "A coordinator wanted to write to you, and it did not work. Your request keeps its place;"
        " the team sees why."
    ),
    "unreached.owner": (
        "{reference} waits again: {problem} On its card you can open a private thread instead."
    ),
    "unreached.owner.thread": "{reference} waits again: {problem}",
    "claim_ending": (
        "Your claim on {reference} ends {until}. Press Extend on its card to keep it."
    ),
}
