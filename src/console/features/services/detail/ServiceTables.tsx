import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Service } from '#contract/services.ts'
import { isAnywhere } from '../model/accessList.ts'

/** The endpoints of a service. */
export function Endpoints({ service }: { service: Service }) {
  const endpoints = service.endpoints ?? []
  return (
    <Grid title="Endpoints" heads={['Protocol', 'Address', 'User']} none="No endpoints reported.">
      {endpoints.map(({ protocol, host = '', port, username }) => (
        <TableRow key={protocol}>
          <TableCell component="th" scope="row">
            {protocol}
          </TableCell>
          <TableCell>
            <CopyId id={port === undefined ? host : `${host}:${port}`} label={`Copy address of ${protocol}`} />
          </TableCell>
          <TableCell>{username}</TableCell>
        </TableRow>
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
        <TableRow key={source}>
          <TableCell component="th" scope="row">
            <code>{source}</code>
          </TableCell>
          <TableCell>{description}</TableCell>
          <TableCell>{isAnywhere(source) && <StatusChip tone="warn">Anywhere</StatusChip>}</TableCell>
        </TableRow>
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
        <Typography color="textSecondary" sx={{ p: 3.5 }}>
          {none}
        </Typography>
      ) : (
        <ScrollRegion label={title} sx={{ maxHeight: 320 }}>
          <Table size="small" aria-label={title}>
            <TableHead>
              <TableRow>
                {heads.map((head) => (
                  <TableCell key={head} {...(head === '' && { 'aria-label': 'Note' })}>
                    {head}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>{children}</TableBody>
          </Table>
        </ScrollRegion>
      )}
    </Panel>
  )
}
