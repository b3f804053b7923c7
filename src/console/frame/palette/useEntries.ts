/** Everything that the palette can do, as data. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '#console/api/session.ts'
import {
  Bell,
  CircleQuestionMark,
  LayoutDashboard,
  LogOut,
  Network,
  Plus,
  type LucideIcon,
  CornerDownRight,
  SquareTerminal,
} from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import { paths } from '#console/paths/paths.ts'
import { whyUnchangeable } from '#console/api/offers/offers.ts'
import type { Connection } from '#contract/console/connections.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { stageLabels } from '#console/shell/stage/stageLabels.ts'
import { formatVariant } from '../switcher/ConnectionBadges.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { entryPath, useCreateEntries, useCrumbs, useNavEntries, type CreateEntry } from '../navigation/navigation.ts'
import { openOverlay } from '#console/shell/overlay.ts'
import { useRegisteredActions } from '#console/shell/pageActions.ts'
import { setThemeMode } from '#console/ui/theme/themeMode.ts'
import { themeModes } from '#console/shell/themeModes.ts'
import { useSignOut } from '#console/shell/session/useSignOut.ts'
import { useSwitchConnection } from '../switcher/useSwitchConnection.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { recordPath } from '#console/records/runs/recordPath.ts'
import { knownPipes, useRecords, useOtherRecords } from './useRecords.ts'

export interface PaletteEntry {
  /** Stable: recents are remembered by it. */
  id: string
  group:
    | 'On this page'
    | 'Pages'
    | 'New'
    | 'Dashboards and alerts'
    | 'Saved statements'
    | 'Data pipes'
    | 'Other connections'
    | 'Connections'
    | 'Console'
  label: string
  detail?: string
  /** The ID of a record, which is found when its beginning is typed. */
  recordId?: string
  icon: LucideIcon
  run: () => void
  disabled?: string | undefined
}

const recordIcons = { Dashboard: LayoutDashboard, Alert: Bell, Statement: SquareTerminal }

/** @param query records are many: they are listed once something is searched for */
export function useEntries(query: string): PaletteEntry[] {
  const pages = usePageEntries()
  const records = useRecordEntries(query)
  const connections = useConnectionEntries()
  const ofConsole = useConsoleEntries()
  return [...pages, ...records, ...connections, ...ofConsole]
}

/** The actions of the page, the ways up from it, the other pages, and those that create a record. */
function usePageEntries(): PaletteEntry[] {
  const navigate = useNavigate()
  const pages = useNavEntries()
  const creates = useCreateEntries()
  const crumbs = useCrumbs()
  const actions = useRegisteredActions()
  const { connection } = useFrameConnection()
  return [
    ...actions.map((action): PaletteEntry => ({
      id: `action:${action.label}`,
      group: 'On this page',
      label: action.label,
      icon: action.icon ?? CornerDownRight,
      run: action.run,
      disabled: action.disabled,
    })),
    ...crumbs.slice(0, -1).map((crumb): PaletteEntry => ({
      id: `up:${crumb.template}`,
      group: 'On this page',
      label: `Go up to ${crumb.title}`,
      icon: CornerDownRight,
      run: () => void navigate({ to: crumb.path }),
    })),
    ...pages.map((page): PaletteEntry => ({
      id: `page:${page.template}`,
      group: 'Pages',
      label: page.title,
      ...(connection && page.template.includes('$') ? { detail: connection.name } : {}),
      icon: page.icon,
      run: () => void navigate({ to: entryPath(page, connection?.id) }),
    })),
    ...creates
      .filter(({ title }) => !actions.some(({ label }) => label === title))
      .map((entry): PaletteEntry => ({
        id: `new:${entry.template}`,
        group: 'New',
        label: entry.title,
        ...(connection && entry.changes ? { detail: connection.name } : {}),
        icon: Plus,
        run: () => void navigate({ to: entryPath(entry, connection?.id), search: entry.search ?? {} }),
        disabled: whyNot(entry, connection),
      })),
  ]
}

/** The records of this connection and of others; none without a query. */
function useRecordEntries(query: string): PaletteEntry[] {
  const navigate = useNavigate()
  const { connection } = useFrameConnection()
  const records = useRecords(connection)
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const elsewhere = useOtherRecords(query, connections, connection)
  if (query.trim() === '') return []
  return [
    ...records.map((record): PaletteEntry => ({
      id: `record:${record.id}`,
      group: record.kind === 'Statement' ? 'Saved statements' : 'Dashboards and alerts',
      label: record.name,
      detail: record.kind,
      recordId: record.id,
      icon: recordIcons[record.kind],
      run: () => void navigate({ to: record.to, search: record.search ?? {} }),
    })),
    ...elsewhere.map((record): PaletteEntry => ({
      id: `record:${record.connectionId}/${record.id}`,
      group: 'Other connections',
      label: record.name,
      detail: `${kindLabel(record.kind).one} · ${record.connection.name} · ${stageLabels[record.connection.stage].toLowerCase()}`,
      recordId: record.id,
      icon: kindLabel(record.kind).icon,
      run: () => void navigate({ to: recordPath(record.kind, record.connectionId, record.id) }),
    })),
    ...knownPipes(connections).map(({ connection: on, serviceId, pipe }): PaletteEntry => ({
      id: `record:${on.id}/${serviceId}/${pipe.id}`,
      group: 'Data pipes',
      label: pipe.name || 'Untitled data pipe',
      detail: `${kindLabel('pipes').one} · ${on.name} · ${stageLabels[on.stage].toLowerCase()}`,
      recordId: pipe.id,
      icon: kindLabel('pipes').icon,
      run: () => void navigate({ to: paths.pipe(on.id, serviceId, pipe.id) }),
    })),
  ]
}

function useConnectionEntries(): PaletteEntry[] {
  const { connection } = useFrameConnection()
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const switchTo = useSwitchConnection()
  return connections.map((target) => ({
    id: `connection:${target.id}`,
    group: 'Connections',
    label: `Switch to ${target.name}`,
    detail: `${formatVariant(target)} · ${stageLabels[target.stage].toLowerCase()}`,
    icon: Network,
    run: () => switchTo(target.id),
    disabled: target.id === connection?.id ? 'Current connection' : undefined,
  }))
}

/** The theme, the help and signing out. */
function useConsoleEntries(): PaletteEntry[] {
  const signOut = useSignOut()
  const { data: session } = useQuery(sessionQuery)
  return [
    ...themeModes.map(({ mode, label, Icon }): PaletteEntry => ({
      id: `theme:${mode}`,
      group: 'Console',
      label: `Theme: ${label.toLowerCase()}`,
      icon: Icon,
      run: () => setThemeMode(mode),
    })),
    {
      id: 'help',
      group: 'Console',
      label: 'Help and shortcuts',
      icon: CircleQuestionMark,
      // The palette closes after running a command; the help opens after that.
      run: () => queueMicrotask(() => openOverlay('help')),
    },
    ...(session?.byProxy
      ? []
      : [{ id: 'sign-out', group: 'Console', label: 'Sign out', icon: LogOut, run: () => void signOut() } as const]),
  ]
}

/** Why a record cannot be created now; undefined if it can. Records of the console itself need no deployment. */
function whyNot({ changes }: CreateEntry, connection: Connection | undefined): string | undefined {
  if (!changes) return undefined
  if (!connection) return 'No connection yet.'
  return lockReason(connection) ?? whyUnchangeable(connection, changes.resource, changes.variants)
}
