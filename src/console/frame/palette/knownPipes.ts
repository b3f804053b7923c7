/** The pipes of all connections that pages have read, for the palette: it reads none itself. */
import { queryClient } from '#console/api/queryClient.ts'
import type { Connection } from '#contract/console/connections.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'

interface KnownPipe {
  connection: Connection
  serviceId: string
  pipe: Pipe
}

/** In the order of the connections. */
export function knownPipes(connections: readonly Connection[]): KnownPipe[] {
  const { resource, verb } = pipes.list
  return connections.flatMap((connection) =>
    queryClient
      .getQueriesData<Pipe[]>({ queryKey: [connection.id, resource, verb] })
      .flatMap(([[, , , input], list = []]) => {
        const { params } = input as { params: { serviceId: string } } // the input of the endpoint
        return list.map((pipe) => ({ connection, serviceId: params.serviceId, pipe }))
      }),
  )
}
