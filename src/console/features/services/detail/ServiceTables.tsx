import type { ComponentProps, ReactNode } from 'react'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { isAnywhere } from '../model/accessList.ts'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import * as css from '../services.module.css'

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
      heads={['Source', 'Description', { title: 'Note', hidden: true }]}
      none={ipAccessList ? 'No IP address can access the service.' : 'Not reported.'}
    >
      {entries.map(({ source, description }) => (
        <tr key={source}>
          <th scope="row">
            <code>{source}</code>
          </th>
          <td>{description}</td>
          <td data-actions>{isAnywhere(source) && <StatusChip tone="warn">Anywhere</StatusChip>}</td>
        </tr>
      ))}
    </Grid>
  )
}

interface GridProps {
  title: string
  heads: ComponentProps<typeof SmallTable>['heads']
  none: string
  children: ReactNode[]
}

function Grid({ title, heads, none, children }: GridProps) {
  return (
    <Panel title={title} flush>
      {children.length === 0 ? (
        <PanelText>{none}</PanelText>
      ) : (
        <SmallTable label={title} heads={heads} className={css.serviceScroller}>
          {children}
        </SmallTable>
      )}
    </Panel>
  )
}
