import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { SavePlan } from './plan.ts'
import { useValidation } from './useValidation.ts'
import { formatPath, formatValue } from './formatChanges.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../dashboards.module.css'

/** The findings of the deployment about the dashboard, if it offers validation. */
export function ValidationPart({ plan, current }: { plan: SavePlan; current: Dashboard }) {
  const validation = useValidation(plan, current)
  switch (validation.step) {
    case 'validating':
      return <Text color="textSecondary">Validating…</Text>
    case 'unsupported':
      return <Text color="textSecondary">This deployment cannot validate dashboards before saving.</Text>
    case 'failed':
      return <Text color="textSecondary">Could not validate before saving: {validation.message}</Text>
    case 'checked': {
      const lost = validation.lost.map(({ path, before }) => ({
        where: formatPath(path, plan.target),
        message: formatValue(before),
      }))
      if (validation.new.length + validation.old.length + lost.length === 0) {
        return <Text color="textSecondary">Validated by the deployment: no problems found.</Text>
      }
      return (
        <>
          <Findings tone="error" title="The deployment would reject:" findings={validation.new} />
          <Findings
            tone="warning"
            title="Existing problems that the deployment may accept:"
            findings={validation.old}
          />
          <Findings tone="warning" title="The deployment would drop these fields:" findings={lost} />
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
      <ul className={css.findings}>
        {findings.map(({ where, message }) => (
          <li key={`${where} ${message}`}>{where ? `${where}: ${message}` : message}</li>
        ))}
      </ul>
    </Notice>
  )
}
