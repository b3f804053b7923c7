import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { FileSpreadsheet, Link, Lock, Share, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { stringifySearch } from '#console/shell/urlState.ts'
import { toast } from '#console/shell/toasts.tsx'
import { frameCsv } from '#console/ui/chart/csv.ts'
import { frameOf, type Series } from '#console/ui/chart/series.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import { charts } from '#contract/charts.ts'
import type { Connection } from '#contract/connections.ts'
import type { Search } from './state.ts'
import type { Explorer } from './useExplorer.ts'
import type { ExplorerData } from './useExplorerData.ts'

interface ShareMenuProps {
  connection: Connection
  explorer: Explorer
  data: ExplorerData
  lines: readonly Series[]
}

/** Ways to take away what is shown: a link that moves with the clock or does not, the request, the numbers. */
export function ShareMenu({ connection, explorer, data, lines }: ShareMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { ask } = data
  const items = [
    {
      icon: Link,
      label: 'Copy link',
      detail: 'relative times stay relative',
      run: () => copy('Link', linkTo(explorer.searchOf({}))),
    },
    {
      icon: Lock,
      label: 'Copy link, times frozen',
      detail: 'shows the same to everyone, later too',
      run: () => copy('Link', linkTo(explorer.searchOf(absoluteRange(ask.span)))),
    },
    {
      icon: SquareTerminal,
      label: 'Copy as cURL',
      detail: 'straight to the deployment, $KEY to fill in',
      run: () => copy('Command', curlOf(connection, charts.query, { body: ask.query }) ?? ''),
    },
    {
      icon: FileSpreadsheet,
      label: 'Download CSV',
      detail: 'all series and buckets of this answer',
      run: () => download('explorer.csv', csvOf(lines, data)),
    },
  ]
  return (
    <>
      <Button
        startIcon={<Share size={14} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Share
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {items.map(({ icon: Icon, label, detail, run }) => (
          <MenuItem
            key={label}
            onClick={() => {
              setAnchor(null)
              void run()
            }}
          >
            <Icon size={15} aria-hidden />
            <span>
              {label}
              <small style={{ display: 'block', opacity: 0.75 }}>{detail}</small>
            </span>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

const linkTo = (search: Search) => location.origin + location.pathname + stringifySearch(search)

function csvOf(lines: readonly Series[], { ask, readAt }: ExplorerData): string {
  return frameCsv(
    frameOf(lines, 'gap', { from: ask.span.from, to: Math.min(ask.span.to, readAt), bucketMs: ask.bucketMs }),
  )
}

async function copy(what: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ tone: 'ok', text: `${what} copied` })
  } catch {
    toast({ tone: 'bad', text: `${what} not copied: the browser keeps pages from the clipboard` })
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
