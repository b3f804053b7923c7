/** Resources that need attention, each with the advised action. */
import { paths } from '#console/paths/paths.ts'
import type { KeyExpiry } from '#console/records/apiKeys/keyExpiry.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { OverloadedPipe, Problems } from './problems.ts'
import type { HomeEnvironment } from './useHome.ts'

export interface AttentionItem {
  key: string
  kind: 'pipe' | 'service' | 'key'
  name: string
  connection: Connection
  /** The problem, in words. */
  problem: string
  to: string
  /** The advised action: a page that shows the cause, or a form. */
  advice: { label: string; to: string }
}

export function attentionOf(environments: readonly HomeEnvironment[]): AttentionItem[] {
  return environments.flatMap(({ connection, problems }) => {
    return [
      ...(problems?.services ?? []).map((service) => serviceItem(connection, service)),
      ...(problems?.pipes ?? []).map((pipe) => pipeItem(connection, pipe)),
      ...(problems?.overloaded ?? []).map((overloadedPipe) => overloadItem(connection, overloadedPipe)),
      ...(problems?.expiringKey ? [keyItem(connection, problems.expiringKey)] : []),
    ]
  })
}

function pipeItem(connection: Connection, { pipe, serviceId }: NonNullable<Problems['pipes']>[number]): AttentionItem {
  const to = paths.pipe(connection.id, serviceId, pipe.id)
  const isDegraded = pipe.state === 'Degraded'
  const detail = pipe.stateDetail ? `: ${pipe.stateDetail}` : ''
  return {
    key: `${connection.id}/${serviceId}/${pipe.id}`,
    kind: 'pipe',
    name: pipe.name || pipe.id,
    connection,
    problem: `${isDegraded ? 'Degraded' : 'Failed'}${detail}`,
    to,
    advice: isDegraded
      ? { label: 'Check its size', to: paths.scalePipe(connection.id, serviceId, pipe.id) }
      : { label: 'View the cause', to },
  }
}

function overloadItem(connection: Connection, { pipe, serviceId, problem }: OverloadedPipe): AttentionItem {
  return {
    key: `${connection.id}/${serviceId}/${pipe.id}`,
    kind: 'pipe',
    name: pipe.name || pipe.id,
    connection,
    problem,
    to: paths.pipe(connection.id, serviceId, pipe.id),
    advice: { label: 'Scale pipe', to: paths.scalePipe(connection.id, serviceId, pipe.id) },
  }
}

function serviceItem(connection: Connection, service: NonNullable<Problems['services']>[number]): AttentionItem {
  const to = paths.service(connection.id, service.id)
  const isFailed = service.state === 'failed'
  return {
    key: `${connection.id}/${service.id}`,
    kind: 'service',
    name: service.name || service.id,
    connection,
    problem: serviceStates[service.state ?? ''] ?? 'Needs attention',
    to,
    advice: isFailed
      ? { label: 'View backups', to: paths.serviceBackups(connection.id, service.id) }
      : { label: 'View metrics', to: paths.serviceMetrics(connection.id, service.id) },
  }
}

const serviceStates: Record<string, string> = {
  failed: 'Failed',
  degraded: 'Degraded',
  partially_running: 'Only some of its replicas are running',
}

function keyItem(connection: Connection, { text, apiKeyId }: KeyExpiry): AttentionItem {
  const to = apiKeyId === undefined ? paths.apiKeys(connection.id) : paths.rotateApiKey(connection.id, apiKeyId)
  return {
    key: `${connection.id}/key`,
    kind: 'key',
    name: 'API key',
    connection,
    problem: text,
    to: paths.apiKeys(connection.id),
    advice: { label: apiKeyId === undefined ? 'View API keys' : 'Rotate key', to },
  }
}
