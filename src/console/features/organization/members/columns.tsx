import type { Column } from '#console/ui/table/columns.ts'
import type { Invitation, Member } from '#contract/cloud/organization/members.ts'
import { roleNames } from '../roleOptions.ts'

export const memberName = ({ name, email, userId }: Pick<Member, 'name' | 'email' | 'userId'>): string =>
  name || email || userId

/** Their IDs are part of URLs: do not rename them. */
export const memberColumns: Column<Member & { id: string }>[] = [
  { id: 'name', title: 'Name', grow: 0.8, width: 160, value: memberName },
  { id: 'email', title: 'Email', grow: 1, width: 190, value: ({ email }) => email },
  { id: 'roles', title: 'Roles', grow: 0.8, width: 150, value: ({ assignedRoles }) => roleNames(assignedRoles) },
  { id: 'joined', title: 'Joined', width: 120, type: 'timestamp', value: ({ joinedAt }) => joinedAt },
  { id: 'id', title: 'ID', width: 290, hidden: true, value: ({ userId }) => userId },
]

export const invitationColumns: Column<Invitation>[] = [
  { id: 'email', title: 'Email', grow: 1, width: 190, value: ({ email }) => email },
  { id: 'roles', title: 'Roles', grow: 0.8, width: 150, value: ({ assignedRoles }) => roleNames(assignedRoles) },
  { id: 'created', title: 'Invited', width: 120, type: 'timestamp', value: ({ createdAt }) => createdAt },
  { id: 'expires', title: 'Expires', width: 120, type: 'timestamp', value: ({ expireAt }) => expireAt },
]
