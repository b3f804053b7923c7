/** Kinds of records as people call them, with their icons. */
import { Bell, Cable, Database, LayoutDashboard, type LucideIcon, Server, TextSearch, Webhook } from 'lucide-react'

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
}

export function kindLabel(kind: string): KindLabel {
  return labels[kind] ?? { one: kind, many: kind, icon: Database }
}

/** The icon of a kind; its name is beside it. */
export function KindIcon({ kind }: { kind: string }) {
  const Icon = kindLabel(kind).icon
  return <Icon size={15} strokeWidth={1.6} aria-hidden />
}
