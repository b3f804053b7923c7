/** The connection that the address names: what every page under `/c/:connectionId` works on. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, use, type ReactNode } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { ParamName } from '#console/paths/pages.ts'
import { useBrowserSetting } from './browserSettings.ts'

const ConnectionContext = createContext<Connection | null>(null)

/** The connection of this page. Only for pages under `/c/:connectionId`. */
export function useConnection(): Connection {
  const connection = use(ConnectionContext)
  if (!connection) throw new Error('This part of the console needs a connection in its address.')
  return connection
}

/** Provides the page's connection to parts of the shell, such as the text of a dialog. */
export function WithConnection({ connection, children }: { connection: Connection; children: ReactNode }) {
  return <ConnectionContext value={connection}>{children}</ConnectionContext>
}

/** A parameter of the page's URL, such as `alertId`. */
export function useRouteParam(name: ParamName): string {
  const value = useParams({ strict: false })[name]
  if (value === undefined) throw new Error(`The URL of this page has no ${name}.`)
  return value
}

interface FrameConnection {
  connection: Connection | undefined
  /** Whether the address names it. */
  inAddress: boolean
  /** All of them. */
  connections: Connection[]
}

/** The connection that the frame shows: the address's own, or else the one that was used last. */
export function useFrameConnection(): FrameConnection {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const { connectionId } = useParams({ strict: false })
  const lastId = useBrowserSetting('connectionId')
  const inAddress = connections.find(({ id }) => id === connectionId)
  if (inAddress) return { connection: inAddress, inAddress: true, connections }
  const connection = connections.find(({ id }) => id === lastId) ?? connections[0]
  return { connection, inAddress: false, connections }
}
