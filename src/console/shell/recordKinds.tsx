/** Kinds of records as people call them, with their icons. */
import {
  Bell,
  Building2,
  Cable,
  Database,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Server,
  TextSearch,
  Webhook,
} from 'lucide-react'

interface KindLabel {
  one: string
  many: string
  icon: LucideIcon
}

const labels: Record<string, KindLabel> = {
  dashboards: { one: 'dashboard', many: 'Dashboards', icon: LayoutDashboard },
  alerts: { one: 'alert', many: 'Alerts', icon: Bell },
  savedSearches: { one: 'saved search', many: 'Saved searches', icon: TextSearch },
  sources: { one: 'source', many: 'Sources', icon: Database },
  webhooks: { one: 'webhook', many: 'Webhooks', icon: Webhook },
  services: { one: 'service', many: 'Services', icon: Server },
  pipes: { one: 'data pipe', many: 'Data pipes', icon: Cable },
  'pipes/settings': { one: 'data pipe settings', many: 'Data pipe settings', icon: Cable },
  dataConnections: { one: 'data connection', many: 'Data connections', icon: Database },
  apiKeys: { one: 'API key', many: 'API keys', icon: KeyRound },
  invitations: { one: 'invitation', many: 'Invitations', icon: Building2 },
  members: { one: 'member', many: 'Members', icon: Building2 },
  organizations: { one: 'organization', many: 'Organization', icon: Building2 },
  reversePrivateEndpoints: { one: 'reverse private endpoint', many: 'Reverse private endpoints', icon: Server },
  roles: { one: 'role', many: 'Roles', icon: KeyRound },
  serviceBackups: { one: 'backup configuration', many: 'Backups', icon: Server },
  serviceEndpoints: { one: 'query endpoint', many: 'Query endpoints', icon: Server },
  serviceSchedules: { one: 'scaling schedule', many: 'Scaling schedules', icon: Server },
  serviceSettings: { one: 'service settings', many: 'Service settings', icon: Server },
}

export function kindLabel(kind: string): KindLabel {
  return labels[kind] ?? { one: kind, many: kind, icon: Database }
}

/** The name of a record as a history has it: "Untitled alert" where it had none. */
export const recordName = (kind: string, name: string): string => name || `Untitled ${kindLabel(kind).one}`

/** The icon of a kind; its name is beside it. */
export function KindIcon({ kind }: { kind: string }) {
  const Icon = kindLabel(kind).icon
  return <Icon size={15} strokeWidth={1.6} aria-hidden />
}
