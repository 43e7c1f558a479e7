"""English: campaigns, what is nominated for them, and how it is reviewed."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # Refusals: what happened, and what to do next.
    "refused.author_already_submitted": (
        "You are in {name} already, with {reference}. Everybody has one place in a campaign."
    ),
    "refused.button_used": "This has been answered already. Nothing was changed just now.",
    "refused.not_your_button": "This button is somebody else's. Nothing was changed.",
    "refused.campaign_at_capacity": (
        "Every place in {name} is taken, so nothing was entered. Ask an organizer whether there"
        " will be more."
    ),
    "refused.campaign_exists": (
        "There is a campaign with the name {name} here already. Choose another name."
    ),
    "refused.campaign_not_draining": (
        "{name} can't be closed from where it stands: it has to be draining. /campaign drain stops"
        " it from taking entries."
    ),
    "refused.campaign_not_found": (
        "There is no such campaign here. /campaign list shows which there are."
    ),
    "refused.campaign_not_open": (
        "{name} takes no entries any more, and its terms stay as they are."
    ),
    "refused.empty_name": "The name has no letters or digits. Choose one that people can type.",
    "refused.empty_review": "There is no readable text in it. Say in a few words what you found.",
    "refused.empty_title": "The title has no readable text. Say in a few words what it is.",
    "refused.entry_already_completed": (
        "{reference} has been reviewed already, so it can't be withdrawn. Ask an organizer to leave"
        " it out."
    ),
    "refused.entry_not_found": "There is no such entry here. Check the reference.",
    "refused.entry_not_leased": (
        "Nobody is reviewing {reference} just now. Take the next entry with /review next."
    ),
    "refused.entry_not_returned": (
        "{reference} doesn't wait for an answer of yours any more. /nominate shows where it stands."
    ),
    "refused.invalid_capacity": (
        "A campaign needs at least one place, and as many as it has promised: {number}."
    ),
    "refused.invalid_deadline": (
        "The deadline has to be a time to come, such as 3d, 12h, friday 18:00 or 2026-12-31 18:00."
    ),
    "refused.invalid_lease": "This can't be taken now. Take the next entry with /review next.",
    "refused.invalid_url": (
        "This is no link that can be shown: it has to begin with http:// or https://, hold no"
        " password, and be at most 500 characters long."
    ),
    "refused.lease_expired": (
        "Your time for {reference} had run out, so it is back in the queue and nothing was changed."
        " Take it again with /review next."
    ),
    "refused.lease_token_mismatch": (
        "{owner} is reviewing this entry now. Take the next one with /review next."
    ),
    "refused.lease_token_mismatch.unowned": (
        "This entry was taken anew since. /review mine shows what you hold."
    ),
    "refused.not_entry_author": "{reference} isn't yours. Only its author can do this.",
    "refused.not_reviewer": (
        "Only reviewers can do this, with the role {role}. If you should be one, ask an organizer."
    ),
    "refused.no_reviewer_role": (
        "This server has no role for reviewers yet. Somebody with Manage Server names one with"
        " /desk setup (reviewers)."
    ),
    "refused.submission_deadline_passed": ("{name} ended {until}, so nothing was entered."),
    "refused.unfinished_entries": (
        "{name} can't be closed yet: entries that are not finished: {number}. /campaign progress"
        " shows who holds them."
    ),
}
