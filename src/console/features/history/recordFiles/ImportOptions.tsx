import type { ImportChoices } from '#console/api/gateway/recordFiles.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { FileImportPlan } from '#contract/console/recordFiles.ts'
import * as css from '../history.module.css'

interface ImportOptionsProps {
  plan: FileImportPlan
  choices: ImportChoices
  onChange: (choices: ImportChoices) => void
}

/**
 * Options of an import: deletions, secrets that no file has, and records that cannot be written. Not a
 * form: nothing is submitted here, each choice makes another plan, and secrets go by paths of files, which
 * react-hook-form would take apart at their dots.
 */
export function ImportOptions({ plan, choices, onChange }: ImportOptionsProps) {
  const stuck = plan.steps.filter(
    ({ action, blocked, missing }) => action !== 'same' && (blocked !== undefined || missing.length > 0),
  )
  return (
    <>
      {plan.secrets.length > 0 && (
        <fieldset className={css.secrets}>
          <legend>URLs and keys of webhooks, which no file has</legend>
          {plan.secrets.map(({ id, name, of }) => (
            <TextInput
              key={id}
              label={of === 'url' ? name : `${name}: integration key`}
              type={of === 'url' ? 'url' : 'password'}
              mono
              autoComplete="off"
              {...(of === 'url' && { placeholder: 'https://' })}
              value={choices.secrets[id] ?? ''}
              onChange={(value) => onChange({ ...choices, secrets: withSecret(choices.secrets, id, value) })}
            />
          ))}
        </fieldset>
      )}
      {stuck.length > 0 && (
        <Notice
          tone="warning"
          action={<Button onClick={() => onChange({ ...choices, leaveOut: true })}>Leave out</Button>}
        >
          {stuck.length === 1
            ? '1 record cannot be written: the plan says why. Leave it out, and what needs it?'
            : `${stuck.length} records cannot be written: the plan says why. Leave them out, and what needs them?`}
        </Notice>
      )}
      {choices.leaveOut && plan.leftOut.length > 0 && (
        <Notice
          tone="warning"
          action={<Button onClick={() => onChange({ ...choices, leaveOut: false })}>Include again</Button>}
        >
          Left out: {listNames(plan.leftOut)}
        </Notice>
      )}
      <label className={css.recordFilesOption}>
        <input
          type="checkbox"
          checked={choices.prune}
          onChange={({ target }) => onChange({ ...choices, prune: target.checked })}
        />
        <span>
          Delete records that are not in the file
          <Text component="span" variant="caption" color="textSecondary" className={css.optionHelp}>
            Applies only to the kinds of records the file contains.
          </Text>
        </span>
      </label>
    </>
  )
}

/** Records that are named at most. */
const maxNamed = 20

function listNames(records: FileImportPlan['leftOut']): string {
  const named = records.slice(0, maxNamed).map(({ kind, name }) => `${kindLabel(kind).one} ${name}`)
  return named.join(', ') + (records.length > maxNamed ? ` and ${records.length - maxNamed} more` : '')
}

function withSecret(secrets: ImportChoices['secrets'], id: string, value: string): ImportChoices['secrets'] {
  const { [id]: _former, ...others } = secrets
  return value === '' ? others : { ...others, [id]: value }
}
