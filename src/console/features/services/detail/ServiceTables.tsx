import type { ReactNode } from 'react'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Service } from '#contract/services.ts'
import { isAnywhere } from '../model/accessList.ts'
import { Text } from '#console/ui/base/Text.tsx'
import table from '#console/ui/base/table.module.css'
import css from './ServiceTables.module.css'

/** The endpoints of a service. */
export function Endpoints({ service }: { service: Service }) {
  const endpoints = service.endpoints ?? []
  return (
    <Grid title="Endpoints" heads={['Protocol', 'Address', 'User']} none="No endpoints reported.">
      {endpoints.map(({ protocol, host = '', port, username }) => (
        <tr key={protocol}>
          <th scope="row">{protocol}</th>
          <td>
            <CopyId id={port === undefined ? host : `${host}:${port}`} label={`Copy address of ${protocol}`} />
          </td>
          <td>{username}</td>
        </tr>
      ))}
    </Grid>
  )
}

/** The IP access list of a service. */
export function AccessList({ service }: { service: Service }) {
  const { ipAccessList } = service
  const entries = ipAccessList ?? []
  return (
    <Grid
      title="IP access list"
      heads={['Source', 'Description', '']}
      none={ipAccessList ? 'No IP address can access the service.' : 'Not reported.'}
    >
      {entries.map(({ source, description }) => (
        <tr key={source}>
          <th scope="row">
            <code>{source}</code>
          </th>
          <td>{description}</td>
          <td>{isAnywhere(source) && <StatusChip tone="warn">Anywhere</StatusChip>}</td>
        </tr>
      ))}
    </Grid>
  )
}

interface GridProps {
  title: string
  heads: readonly string[]
  none: string
  children: ReactNode[]
}

function Grid({ title, heads, none, children }: GridProps) {
  return (
    <Panel title={title} flush>
      {children.length === 0 ? (
        <Text color="textSecondary" className={css.emptyNote}>
          {none}
        </Text>
      ) : (
        <ScrollRegion label={title} className={css.scroller}>
          <table className={table.table} aria-label={title}>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} {...(head === '' && { 'aria-label': 'Note' })}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  )
}
