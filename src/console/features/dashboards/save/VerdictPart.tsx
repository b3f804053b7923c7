import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Dashboard } from '#contract/dashboards.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { SavePlan } from './plan.ts'
import { useVerdict } from './useVerdict.ts'
import { formatPath, formatValue } from './formatChanges.ts'

/** What the deployment itself says about what would be there, where it offers to check. */
export function VerdictPart({ plan, current }: { plan: SavePlan; current: Dashboard }) {
  const verdict = useVerdict(plan, current)
  switch (verdict.step) {
    case 'asking':
      return <Typography color="textSecondary">The deployment is asked to check it…</Typography>
    case 'absent':
      return <Typography color="textSecondary">This deployment offers no check before saving.</Typography>
    case 'failed':
      return <Typography color="textSecondary">It could not be checked before saving: {verdict.message}</Typography>
    case 'checked': {
      const lost = verdict.lost.map(({ path, before }) => ({
        where: formatPath(path, plan.target),
        message: formatValue(before),
      }))
      if (verdict.new.length + verdict.old.length + lost.length === 0) {
        return <Typography color="textSecondary">The deployment has checked it and finds nothing wrong.</Typography>
      }
      return (
        <>
          <Findings tone="error" title="The deployment would refuse this:" findings={verdict.new} />
          <Findings
            tone="warning"
            title="This was wrong before your change too, and the deployment may let it be:"
            findings={verdict.old}
          />
          <Findings tone="warning" title="The deployment would not keep these fields:" findings={lost} />
        </>
      )
    }
  }
}

interface FindingsProps {
  tone: 'error' | 'warning'
  title: string
  findings: readonly { where: string; message: string }[]
}

function Findings({ tone, title, findings }: FindingsProps) {
  if (findings.length === 0) return null
  return (
    <Notice tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      {title}
      <Box component="ul" sx={{ m: 0, pl: 4, overflowWrap: 'anywhere' }}>
        {findings.map(({ where, message }) => (
          <li key={`${where} ${message}`}>{where ? `${where}: ${message}` : message}</li>
        ))}
      </Box>
    </Notice>
  )
}
