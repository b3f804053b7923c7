import {
  ArrowRightLeft,
  Bell,
  BellOff,
  Database,
  ExternalLink,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  Scaling,
} from 'lucide-react'
import type { MarkerKind } from '#contract/console/markerKinds.ts'

const icons: Readonly<Record<MarkerKind, LucideIcon>> = {
  deployment: Rocket,
  promotion: ArrowRightLeft,
  scaling: Scaling,
  outside: ExternalLink,
  alert: Bell,
  silence: BellOff,
  dashboard: LayoutDashboard,
  record: Database,
}

/** The icon of a kind of changes; what it is is said beside it. */
export function MarkerIcon({ kind = 'record' }: { kind?: MarkerKind | undefined }) {
  const Icon = icons[kind]
  return <Icon size={12} strokeWidth={1.8} aria-hidden />
}
