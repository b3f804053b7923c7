import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { GroupRole, ListedPerson } from '#contract/console/people.ts'
import type { Role } from '#contract/console/consoleRoles.ts'
import { groupBehind, groupRoleText, roleChoices } from './roleLabels.ts'
import * as css from './people.module.css'

const states = [
  { value: 'active', label: 'Active' },
  { value: 'invited', label: 'Invited' },
  { value: 'disabled', label: 'Disabled' },
]
const tones = { active: 'ok', invited: 'neutral', disabled: 'bad' } as const

function roleCell(role: Role, behind: GroupRole | undefined) {
  return (
    <span className={css.role} data-role={role} title={behind && `Role from ${behind.provider} group ${behind.group}`}>
      {role}
    </span>
  )
}

/** The columns of the list, one for each connection. Their ids are part of URLs: do not rename them. */
export function peopleColumns(connections: readonly Connection[]): Column<ListedPerson>[] {
  const names = new Map(connections.map(({ id, name }) => [id, name]))
  return [
    {
      id: 'name',
      title: 'Person',
      grow: 1,
      width: 180,
      value: ({ name }) => name,
      cell: ({ name, current }) => (
        <span>
          {name} {current && <StatusChip tone="accent">You</StatusChip>}
        </span>
      ),
    },
    {
      id: 'state',
      title: 'Sign-in',
      width: 110,
      type: 'choice',
      options: states,
      value: ({ state }) => state,
      cell: ({ state }) => (
        <StatusChip tone={tones[state]}>{states.find(({ value }) => value === state)?.label}</StatusChip>
      ),
    },
    {
      id: 'role',
      title: 'Default role',
      width: 120,
      type: 'choice',
      options: roleChoices,
      value: ({ role }) => role,
      cell: (person) => roleCell(person.role, groupBehind(person)),
    },
    ...connections.map((connection): Column<ListedPerson> => {
      const roleOf = ({ role, roles }: ListedPerson) => roles[connection.id] ?? role
      return {
        id: `on${connection.id.replaceAll(/[^A-Za-z0-9]/g, '')}`,
        title: connection.name,
        width: 150,
        type: 'choice',
        options: roleChoices,
        value: roleOf,
        cell: (person) => roleCell(roleOf(person), groupBehind(person, connection.id)),
      }
    }),
    {
      id: 'groups',
      title: 'Roles from groups',
      grow: 1,
      width: 230,
      value: ({ fromGroups = [] }) => fromGroups.map((group) => groupRoleText(group, names)).join(', '),
    },
    { id: 'email', title: 'E-mail', grow: 1, width: 190, value: ({ email }) => email },
    { id: 'seen', title: 'Last seen', width: 120, type: 'timestamp', value: ({ seenAt }) => seenAt },
    { id: 'sessions', title: 'Sessions', width: 90, type: 'number', hidden: true, value: ({ sessions }) => sessions },
    { id: 'tokens', title: 'Tokens', width: 90, type: 'number', value: ({ tokens }) => tokens },
  ]
}
