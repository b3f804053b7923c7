/** Kinds of records as people call them, with their icons. */
import {
  Building2,
  Database,
  KeyRound,
  LayoutDashboard,
  LockKeyhole,
  type LucideIcon,
  Server,
  Workflow,
} from 'lucide-react'
import { formatRecordName, formatResourceName } from '#contract/wire/naming.ts'
import { capitalized } from '#domain/text/words.ts'
import { stackPages } from './stackPages.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  ...Object.fromEntries(Object.entries(stackPages).map(([kind, { icon }]) => [kind, icon])),
  dashboards: LayoutDashboard,
  services: Server,
  pipes: Workflow,
  'pipes/settings': Workflow,
  dataConnections: Database,
  apiKeys: KeyRound,
  invitations: Building2,
  members: Building2,
  organizations: Building2,
  reversePrivateEndpoints: Server,
  roles: LockKeyhole,
  serviceBackups: Server,
  serviceEndpoints: Server,
  serviceSchedules: Server,
  serviceSettings: Server,
}

interface KindNames {
  one: string
  many: string
}

/** Kinds that people call otherwise than the API does. */
const names: Readonly<Record<string, KindNames>> = {
  pipes: { one: 'data pipe', many: 'Data pipes' },
  'pipes/settings': { one: 'data pipe settings', many: 'Data pipe settings' },
  organizations: { one: 'organization', many: 'Organization' },
  serviceBackups: { one: 'backup configuration', many: 'Backups' },
  serviceEndpoints: { one: 'query endpoint', many: 'Query endpoints' },
  serviceSchedules: { one: 'scaling schedule', many: 'Scaling schedules' },
  serviceSettings: { one: 'service settings', many: 'Service settings' },
}

/** An unknown kind is shown unchanged. */
export function kindLabel(kind: string): KindNames & { icon: LucideIcon } {
  const icon = icons[kind]
  if (!icon) return { one: kind, many: kind, icon: Database }
  return { ...(names[kind] ?? { one: formatRecordName(kind), many: capitalized(formatResourceName(kind)) }), icon }
}

/** The name of a record as a history has it: "Untitled alert" where it had none. */
export const recordName = (kind: string, name: string): string => name || `Untitled ${kindLabel(kind).one}`

/** The icon of a kind; its name is beside it. */
export function KindIcon({ kind }: { kind: string }) {
  const Icon = kindLabel(kind).icon
  return <Icon size={15} strokeWidth={1.6} aria-hidden />
}
