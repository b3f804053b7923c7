/** The form of an invitation: where somebody needs access, and with which roles there. */
import { z } from 'zod'
import type { Connection } from '#contract/console/connections.ts'
import type { Variant } from '#contract/wire/kernel.ts'
import { personInput } from '#contract/console/people.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { roleShape } from './consoleRoles.ts'

export const places = ['console', 'team', 'organization'] as const
/** Where somebody can be invited to. Each has people of its own. */
export type InviteTarget = (typeof places)[number]

export const inviteSchema = z
  .object({
    email: personInput.shape.email,
    name: z.string().trim().max(80),
    places: z.array(z.enum(places)).min(1, 'Choose what the person needs'),
    /** In the console. */
    ...roleShape,
    /** The connection to the deployment of the team. */
    teamConnection: z.string(),
    /** The connection to the organization. */
    organizationConnection: z.string(),
    /** Roles of the organization. */
    assignedRoleIds: z.array(z.string()),
  })
  .superRefine(({ name, places: chosen }, context) => {
    if (chosen.includes('console') && !personInput.shape.name.safeParse(name).success)
      context.addIssue({ code: 'custom', path: ['name'], message: 'An account of the console needs a name' })
  })
export type InviteForm = z.infer<typeof inviteSchema>

const variants: Record<Exclude<InviteTarget, 'console'>, Variant> = { team: 'openSource', organization: 'managed' }

/** The connections whose people can be invited. */
export const connectionsOf = (place: Exclude<InviteTarget, 'console'>, all: readonly Connection[]): Connection[] =>
  all.filter((connection) => connection.variant === variants[place] && lockReason(connection) === undefined)

/** Why nobody can be invited to a place; undefined if somebody can. */
export function placeBlocker(
  place: InviteTarget,
  all: readonly Connection[],
  isAdministrator: boolean,
): string | undefined {
  if (place === 'console')
    return isAdministrator ? undefined : 'Only administrators of this console invite people to it.'
  if (connectionsOf(place, all).length > 0) return undefined
  const [known] = all.filter(({ variant }) => variant === variants[place])
  if (known) return lockReason(known)
  return place === 'team' ? 'There is no connection to an open-source deployment.' : 'There is no managed connection.'
}

/** Where a dialog begins that is opened on the page of a place. */
export function emptyInvitation(
  initialPlace: InviteTarget,
  all: readonly Connection[],
  shown: Connection | undefined,
): InviteForm {
  const first = (place: Exclude<InviteTarget, 'console'>) => {
    const known = connectionsOf(place, all)
    return (known.find(({ id }) => id === shown?.id) ?? known[0])?.id ?? ''
  }
  return {
    email: '',
    name: '',
    places: [initialPlace],
    role: 'viewer',
    exceptions: all.map(() => '' as const),
    teamConnection: first('team'),
    organizationConnection: first('organization'),
    assignedRoleIds: [],
  }
}
