/** Members of the organization and invitations to it, as they are stored. */
import { collection } from '../store/collection.ts'
import type { Limit } from '../store/requireRoom.ts'

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

export const memberLimit: Limit = {
  rows: memberRows,
  most: 1000,
  owner: 'An organization',
  records: 'members',
  remedy: 'Remove one first',
}
