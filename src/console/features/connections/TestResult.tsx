import { Check, CircleSlash, Lock, TriangleAlert } from 'lucide-react'
import type { ConnectionTest } from '#contract/console/connections.ts'
import { Notice } from '#console/ui/Notice.tsx'
import * as css from './connections.module.css'

type Capability = ConnectionTest['capabilities'][number]

const looks: Record<Capability['state'], { icon: typeof Check; color: string; word: string }> = {
  offered: { icon: Check, color: 'var(--ok)', word: 'offered' },
  notOffered: { icon: CircleSlash, color: 'var(--muted)', word: 'not available' },
  refused: { icon: Lock, color: 'var(--warn)', word: 'denied for this key' },
  failed: { icon: TriangleAlert, color: 'var(--bad)', word: 'failed' },
}

/** The result of a test: one sentence, then each feature with its state in a word. Announced when it appears. */
export function TestResult({ result }: { result: ConnectionTest }) {
  return (
    <div className={css.testResult}>
      <Notice tone={result.ok ? 'success' : 'error'} role={result.ok ? 'status' : 'alert'}>
        {result.message}
      </Notice>
      {result.capabilities.length > 0 && (
        <ul aria-label="Features found" className={css.capabilities}>
          {result.capabilities.map((capability) => (
            <CapabilityLine key={capability.resource} capability={capability} />
          ))}
        </ul>
      )}
    </div>
  )
}

function CapabilityLine({ capability }: { capability: Capability }) {
  const { icon: Icon, color, word } = looks[capability.state]
  return (
    <li title={capability.detail} className={css.capability}>
      <Icon aria-hidden className={css.testResultIcon} style={{ color }} />
      <span>
        {capability.resource} <span className={css.availability}>{word}</span>
      </span>
    </li>
  )
}
