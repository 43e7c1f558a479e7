"""English: what is carried between a member and the desk, and what is said about it."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # A message that is carried. Every line of ours begins with the mark of small print: see relay.
    "you": "you",
    "relay.header": "-# **{name}**",
    "relay.header.room": "-# **{name}** · {guild}, {reference}",
    "relay.header.reply": " · reply to {to}",
    "relay.header.command": "-# **{name}** · /reply",
    "relay.quote.nothing": "(no text)",
    "relay.sticker": "-# [sticker: {name}]",
    "relay.voice": "-# [voice message, {length}]",
    "relay.file": "-# [a file]",
    "relay.files": "-# [{number} files]",
    "relay.forwarded": "-# Forwarded:",
    "relay.forwarded.nothing": "-# [a forwarded message without text]",
    "relay.nothing": "-# [something that Steward can't carry, such as a poll]",
    "relay.lost.too_large": "-# {name} ({size}) was too large to carry",
    "relay.lost.no_room": "-# {name} ({size}) could not be carried: Steward had no room for it",
    "relay.lost.unreadable": "-# {name} ({size}) could not be carried: Discord did not give it out",
    "relay.lost.program": "-# {name} ({size}) was not carried: programs are not handed on",
    "relay.lost.too_many": "-# {name} ({size}) could not be carried: too many files came with it",
    "relay.lost.gone": "-# {name} ({size}) could not be carried: Steward has lost it",
    "relay.more": "-# and {number} more",
    "relay.deleted": "-# deleted by the member",
    # Which conversation a direct message is for.
    "room.which.title": "Which conversation is this for?",
    "room.which.held": (
        "You have several. Your message is kept, and goes on as soon as you have chosen."
    ),
    "room.which.choose": "You have several. What you write here goes to the one you choose.",
    "room.which.one.held": (
        "The conversation that you wrote to has ended; this one is still open. Your message is"
        " kept, and goes there as soon as you choose it."
    ),
    "room.which.one.choose": "You have one open. Choose it, and what you write here goes there.",
    "room.which.placeholder": "Choose a conversation",
    "room.which.more": "The list ends at {most}. End one that is over with /requests to see more.",
    "room.held": (
        "This message is kept too. Choose a conversation in the list above, or with /conversation,"
        " and everything goes on in order."
    ),
    "room.current": "You write to {guild}: {reference}, {topic}.",
    "room.current.change": "Choose another one to write there.",
    "room.current.only": "It is the only one you have open.",
    "room.switched": (
        "What you write here now goes to {guild}: {reference}, {topic}. /conversation changes it."
    ),
    "room.stale": "That conversation is over. Nothing was changed.",
    "room.none.title": "Nobody reads this yet",
    "room.none": (
        "You have no open conversation, so what you wrote was not passed on. Ask for help with the"
        " button, and somebody writes to you here."
    ),
    "room.none.command": (
        "You have no open conversation, so what you wrote was not passed on. Ask for help with"
        " /help in the server, and somebody writes to you here."
    ),
    "room.none.more": "For a server without a button, use /help there.",
    "room.none.now.title": "You have no open conversation",
    "room.none.now": (
        "Ask for help with /help in a server, and somebody writes to you here. /requests shows what"
        " you have asked for."
    ),
    "room.waiting.title": "Not passed on",
    "room.waiting": (
        "What you write here goes to nobody yet. As soon as a coordinator has written to you here,"
        " it does. Then write it again."
    ),
    "room.waiting.line": "**{reference}** · {topic} ({guild}): {state}",
    "room.waiting.thread": "**{reference}** · {topic} ({guild}): it goes on in {channel}",
    # Words that did not get through, and why.
    "room.not_staff": (
        "{member}, this stayed here: only coordinators' words go to the member. If you should be"
        " one, ask an organizer for the role {role}."
    ),
    "room.unreached": "{member} has not got what was written here.",
    "room.unreached.do.dms_closed": (
        "Nothing you write here reaches them now. Ask them in the server to allow direct messages"
        " from it, then write again."
    ),
    "room.unreached.do.gone": (
        "Nothing you write here reaches them any more. Resolve the request when you are done."
    ),
    "room.unreached.do.reword": "Write it again in other words.",
    "room.unreached.do.automod": (
        "Write it again in other words, or ask an organizer to let Steward through in AutoMod."
    ),
    "room.unreached.do.harmful_link": "Write it again without the link.",
    "room.unreached.do.too_large": "Send a smaller file, or a link to it.",
    "room.unreached.do.other": "Write it again; if it happens again, tell an organizer.",
    "room.refused.title": "Not passed on",
    "room.refused.reword": (
        "The team has not got your message: Discord does not let its text through. Write it again"
        " in other words."
    ),
    "room.refused.harmful_link": (
        "The team has not got your message: Discord blocks a link in it. Write it again without the"
        " link."
    ),
    "room.refused.too_large": (
        "The team has not got your message: a file in it is too large. Send a smaller one, or a"
        " link to it."
    ),
    "room.refused.other": (
        "The team has not got your message: Discord does not take it. Write it again, in other"
        " words or without its files."
    ),
    "room.disk.title": "This waits for a moment",
    "room.disk": (
        "Steward has no room for files just now. Nothing is lost: this goes on by itself as soon as"
        " there is room. You need not send it again."
    ),
    "room.no_intent.title": "Use /reply here",
    "room.no_intent": (
        "Steward is not allowed to read what is written in this thread, so it stays here. What you"
        " give to /reply goes to the member."
    ),
    "room.no_intent.member.title": "Mention Steward here",
    "room.no_intent.member": (
        "Steward is not allowed to read this thread, so the team has not got your message. Send it"
        " again with an @ and Steward's name in it: that it may read."
    ),
    "room.replaced.title": "This thread goes on for an earlier one",
    "room.replaced": (
        "The earlier thread of {reference} is gone. Nothing is lost: /transcript {reference} shows"
        " what was said. Go on here."
    ),
    "room.too_fast.title": "One moment",
    "room.too_fast": (
        "That is more than {most} messages a minute. The rest is kept and goes on in order, a"
        " little later. You need not send it again."
    ),
    "room.over.title": "{reference} has ended",
    "room.over.member": (
        "It ended before your message was passed on, so {guild} has not got it. If you still need"
        " help, ask again with the button."
    ),
    "room.over.desk": (
        "It ended before the last words here went out, so {member} has not got them. If they"
        " matter, open a new request with /desk open."
    ),
    # Reopening.
    "button.reopen": "Reopen",
    "ended.reopen": "Not solved after all? You can reopen it until {until}.",
    "reopened": "{reference} stays closed; this request goes on with it.",
    "refused.reopen_over": ("This can't be reopened any more. Ask anew with /help in the server."),
    "card.reopens": "Reopens {reference}: /transcript shows what was said.",
    "card.reopens.owned": (
        "Reopens {reference}, which {owner} had: /transcript shows what was said."
    ),
    # Replying by command.
    "reply.taken": "It is on its way to the member of {reference}.",
    "reply.noted": "It begins with //, so it stays in this thread of {reference} as a note.",
    "refused.no_conversation": (
        "There is no open conversation here any more. /desk mine shows which are yours."
    ),
    "refused.not_in_server": (
        "You aren't in that server, or Steward isn't. Use /help in a server where both of you are."
    ),
    "refused.discord_silent": "Discord gives no answer just now. Try again in a minute.",
    "refused.not_in_thread": (
        "This works in the thread of a request. Its card at the desk leads there."
    ),
    "refused.empty_message": "There is no readable text in it. Write what the member should read.",
    "refused.message_too_long": "That is too long for one message. Send it in two.",
    "refused.room_taken": (
        "That conversation goes on in another thread already. Its card at the desk leads there."
    ),
}
