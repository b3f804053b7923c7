/** Members of the organization and invitations to it, as they are stored. */
import { refuse } from '../refusal.ts'
import { collection } from '../store/collection.ts'
import type { Queries } from '../store/store.ts'

export interface MemberDocument {
  /** The user ID. */
  id: string
  name: string
  email: string
  joinedAt: string
  assignedRoleIds: readonly string[]
}

export interface InvitationDocument {
  id: string
  email: string
  createdAt: string
  expireAt: string
  assignedRoleIds: readonly string[]
  /** SHA-256 of the token in the link; absent in invitations of earlier versions, which had no link. */
  tokenHash?: string
}

export const memberRows = collection<MemberDocument>('organization_members')
export const invitationRows = collection<InvitationDocument>('organization_invitations')

const maxMembers = 1000

/** @throws Refusal for an organization without room for another member */
export async function requireRoomForMember(queries: Queries): Promise<void> {
  if ((await memberRows.count(queries)) >= maxMembers) {
    throw refuse(`An organization has at most ${maxMembers} members. Remove one first`)
  }
}
