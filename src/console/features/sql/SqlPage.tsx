import { useQuery } from '@tanstack/react-query'
import { asFailure } from '#console/api/failure.ts'
import { savedStatementsQuery } from '#console/api/gateway/savedStatements.ts'
import { recordOffer, useOffer, useOrigin } from '#console/api/offers/offers.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { loadEditor } from '#console/ui/code/CodeField.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { sql } from '#contract/stack/sql.ts'
import { Workbench } from './Workbench.tsx'
import * as css from './sql.module.css'

export const reads = pageReads(sql.tables)

export function prefetch(): void {
  void loadEditor()
}

/** SQL over the tables of a deployment, read-only. */
export default function SqlPage() {
  const connection = useConnection()
  return (
    <Page
      title="SQL"
      lead="One SELECT at a time over the tables of telemetry, services and their pipes. Nothing can be changed."
    >
      {connection.sqlRefused === undefined ? (
        <Tables key={connection.id} connection={connection} />
      ) : (
        <Notice tone="warning">
          {connection.sqlRefused} Administrators of the connection can allow SQL to everybody who may read it.
        </Notice>
      )}
    </Page>
  )
}

const noSql =
  'This deployment’s API runs no SQL. Connect a client to its database, or open the page on another connection.'

function Tables({ connection }: { connection: Connection }) {
  const origin = useOrigin(connection, sql.tables)
  const { reason } = useOffer(connection, 'sql', sql.tables.variants)
  const { data, error, refetch } = useQuery({ ...q(connection.id, sql.tables, {}), enabled: reason === undefined })
  const saved = useQuery(savedStatementsQuery(connection.id))
  // The control plane of other deployments answers an unknown address so.
  const isMissing =
    reason !== undefined || (error !== null && ['notOffered', 'notFound'].includes(asFailure(error).code))
  if (isMissing) {
    const why = error && asFailure(error).detail
    const tryAgain = () => {
      recordOffer(connection.id, sql.tables, 'offered')
      void refetch()
    }
    return (
      <NotOffered
        reason={`${noSql}${why ? ` ${why}` : ''}`}
        action={<QueryEndpointLink connection={connection} />}
        onTryAnyway={tryAgain}
      />
    )
  }
  if (error && !data) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!data || saved.isPending) return <LoadingPanels heights={[220, 320]} />
  return (
    <Column gap={16}>
      {saved.error && (
        <Notice tone="warning" role="status" action={<Button onClick={() => void saved.refetch()}>Try again</Button>}>
          The saved statements could not be read: {saved.error.message}
        </Notice>
      )}
      <Workbench connection={connection} tables={data} statements={saved.data} />
      {origin !== undefined && (
        <Text variant="caption" color="textSecondary" component="p" className={css.origin}>
          {origin}
        </Text>
      )}
    </Column>
  )
}

/** Where the service of a managed connection gets an endpoint for SQL. */
function QueryEndpointLink({ connection: { id, variant, serviceId } }: { connection: Connection }) {
  if (variant !== 'managed' || serviceId === undefined) return null
  return <LinkButton to={paths.serviceQueryEndpoint(id, serviceId)}>Query endpoint</LinkButton>
}
