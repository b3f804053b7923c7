/** Sends the invitations of a form, each to the place that was chosen. */
import { call } from '#console/api/call.ts'
import { addPerson } from '#console/api/gateway/people.ts'
import { invalidate } from '#console/api/queries.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { Connection } from '#contract/console/connections.ts'
import { invitations } from '#contract/cloud/organization/members.ts'
import { team } from '#contract/stack/team.ts'
import { chosenExceptions } from './consoleRoles.ts'
import type { InviteForm, InviteTarget } from './inviteForm.ts'

export type Outcome =
  | {
      place: InviteTarget
      /** Null where the deployment sends it. */
      link: string | null
      /** Its scope and expiry. */
      note: string
    }
  | { place: InviteTarget; error: unknown }

/** One after the other. What fails keeps none of the others from being sent. */
export async function sendInvitations(
  form: InviteForm,
  chosen: readonly InviteTarget[],
  connections: readonly Connection[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const place of chosen) {
    try {
      outcomes.push(await senders[place](form, connections))
    } catch (error) {
      outcomes.push({ place, error })
    }
  }
  return outcomes
}

const senders: Record<InviteTarget, (form: InviteForm, connections: readonly Connection[]) => Promise<Outcome>> = {
  console: async ({ email, name, role, exceptions }, connections) => {
    const roles = chosenExceptions(connections, exceptions)
    const { link, expiresAt } = await addPerson({ email, name, role, roles })
    return {
      place: 'console',
      link,
      note: `With it, ${name} chooses a password and signs in here. It is shown only now, and works once, until ${formatMoment(expiresAt)}.`,
    }
  },
  team: async ({ email, name, teamConnection }) => {
    const { url } = await call(teamConnection, team.invite, { body: { email, ...(name && { name }) } })
    await invalidate(teamConnection, 'team')
    return {
      place: 'team',
      link: url,
      note: 'Anyone with it can join the team. It works once, for 30 days. The deployment sends no email.',
    }
  },
  organization: async ({ email, assignedRoleIds, organizationConnection }) => {
    const body = { email, ...(assignedRoleIds.length > 0 && { assignedRoleIds }) }
    const { url, expireAt } = await call(organizationConnection, invitations.create, { body })
    await invalidate(organizationConnection, 'invitations')
    if (!url) return { place: 'organization', link: null, note: `The cloud sends the invitation to ${email}.` }
    const until = expireAt ? `, until ${formatMoment(expireAt)}` : ''
    return {
      place: 'organization',
      link: url,
      note: `With it, the person becomes a member. It is shown only now, and works once${until}. This stack sends no email, and its members do not sign in to it.`,
    }
  },
}
