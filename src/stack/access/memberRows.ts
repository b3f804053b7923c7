/** Members of the organization and invitations to it, as they are stored. */
import { collection } from '../store/collection.ts'

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
}

export const memberRows = collection<MemberDocument>('organization_members')
export const invitationRows = collection<InvitationDocument>('organization_invitations')
