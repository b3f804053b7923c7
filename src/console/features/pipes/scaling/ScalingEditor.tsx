import { useState, type ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { formatUsed, usedRange } from '#console/charting/sampling/usedRange.ts'
import { ScalingPage } from '#console/records/scaling/ScalingPage.tsx'
import { useScaling } from '#console/records/scaling/useScaling.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SwitchInput } from '#console/ui/form/fields/SwitchInput.tsx'
import { counted } from '#domain/text/words.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { PipeSize } from '#domain/sizing/pipePrices.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { SizeAssessmentNotice } from '../metrics/SizeAssessmentNotice.tsx'
import type { LiveMetrics } from '../metrics/useLiveMetrics.ts'
import type { ScalingParameter, Values } from '../model/scalingParameters.ts'
import { formatCost } from './cost.ts'
import { applyDraft, changedValues, type Draft } from './draft.ts'
import { numericValues } from './previousValues.ts'
import { keepsUp, measure } from './projection.ts'
import { ProjectionPanel } from './ProjectionPanel.tsx'
import { ScalingParameterField } from './ScalingParameterField.tsx'
import type { SliderTarget } from './scalingTarget.ts'
import { SuggestionButton } from './SuggestionButton.tsx'
import type { Suggest } from './suggestion.ts'
import { TotalsTable } from './TotalsTable.tsx'
import { useUnitRate } from '#console/records/scaling/savedRates.ts'
import * as css from '../pipes.module.css'

interface ScalingEditorProps<T extends object> {
  target: SliderTarget<T>
  parameters: readonly ScalingParameter[]
  title: string
  state: ReactNode
  lead: string
  inapplicable: readonly { parameter: ScalingParameter; reason: string }[]
  /** Shown instead of sliders if no parameter applies. */
  instead?: ReactNode
  /** "S", or null if the size is not listed. */
  sizeName: (values: Values) => string | null
  /** The size of all replicas. Null if a value is unknown. Undefined if the target has no size. */
  sizeOf?: ((values: Values) => PipeSize | null) | undefined
  /** Shown below the parameters. */
  note?: string | undefined
  command: (values: Record<string, number>) => string | null
  /** The fields that change along with another. */
  couple?: (field: string, value: number) => Record<string, number>
  action: string
  back: string
  /** The deployment cannot be read. */
  unreachable: boolean
  /** Live metrics of the pipes that use the size. */
  live: LiveMetrics
  /** Samples of a pipe whose lag is projected. Undefined if that is not possible for the target. */
  projected?: readonly PipeSample[] | undefined
  /** Suggests values. Undefined if the target has no size. */
  suggest?: Suggest | undefined
  aside: ReactNode
}

type SliderScaling<T extends object> = ReturnType<typeof useScaling<T, Draft, Values>>

/** The scaling form: sliders, totals, size assessment, and the progress of a pending change. */
export function ScalingEditor<T extends object>(props: ScalingEditorProps<T>) {
  const { target, sizeOf, command, live, projected } = props
  const connection = useConnection()
  const scaling = useScaling(target)
  const { draft, values, effective, expected, changes } = scaling
  const planned = applyDraft(draft, expected)
  const sizeNow = sizeOf?.(effective) ?? null
  const rate = useUnitRate(connection.id)
  const cost = sizeOf ? formatCost([sizeNow], [sizeOf(planned)], rate) : null
  const summary = [
    counted(changes.length, 'change'),
    '1 API request',
    ...(cost ? [cost] : []),
    'takes effect within minutes',
  ].join(' · ')
  return (
    <ScalingPage
      wide
      target={target}
      scaling={scaling}
      title={props.title}
      state={props.state}
      lead={props.lead}
      actions={
        <CopyButton
          label="Copy as cURL"
          text={() => command(numericValues(Object.keys(values).length ? values : expected)) ?? ''}
        />
      }
      action={props.action}
      summary={changes.length === 0 ? 'No changes' : summary}
      command={(sent) => command(numericValues(sent))}
      notes={
        <>
          {cost && <Text>Cost: {cost}.</Text>}
          <Text color="textSecondary">
            Other values stay unchanged. The change takes effect within minutes; the page shows when it has.
          </Text>
        </>
      }
      back={props.back}
      unreachable={props.unreachable}
    >
      <div className={css.scalingPanels}>
        <SizePanel editor={props} scaling={scaling} planned={planned} />
        <div className={css.beside}>
          {/* Not above the sliders: it appears with the first sample and would move them under the pointer. */}
          <SizeAssessmentNotice live={live} action={suggestionButton(props, scaling, planned, connection)} />
          {sizeOf && projected && (
            <ProjectionPanel samples={projected} now={sizeNow} planned={sizeOf(planned)} rate={rate} />
          )}
          {props.aside}
        </div>
      </div>
    </ScalingPage>
  )
}

interface SizePanelProps<T extends object> {
  editor: ScalingEditorProps<T>
  scaling: SliderScaling<T>
  /** The values after the draft is applied. */
  planned: Values
}

/** The sliders, and the totals of all replicas. */
function SizePanel<T extends object>({ editor, scaling, planned }: SizePanelProps<T>) {
  const { parameters, inapplicable, sizeName, sizeOf, couple } = editor
  const { form, effective, expected } = scaling
  const connection = useConnection()
  const [free, setFree] = useState(false)
  const [currentName, plannedName] = [sizeName(effective), sizeName(planned)]
  return (
    <Panel
      title="Size"
      flush
      aside={
        <div className={css.scalingAside}>
          {currentName && plannedName && currentName !== plannedName && (
            <StatusChip tone="accent">
              {currentName} → {plannedName}
            </StatusChip>
          )}
          {parameters.some(({ range }) => range.doubling) && (
            <SwitchInput label="Fine steps" checked={free} onChange={setFree} />
          )}
        </div>
      }
    >
      <div className={css.parameters}>
        {editor.instead}
        {parameters.map((parameter) => (
          <ScalingParameterField<Draft>
            key={parameter.field}
            control={form.control}
            name={parameter.field}
            parameter={parameter}
            current={expected[parameter.field] ?? null}
            inForce={effective[parameter.field] ?? null}
            free={free}
            load={loadOf(parameter, editor.live)}
            disabled={lockReason(connection)}
            onMove={(value) => fillIn(form, couple?.(parameter.field, value) ?? {})}
          />
        ))}
        {inapplicable.map(({ parameter, reason }) => (
          <InapplicableParameter key={parameter.field} parameter={parameter} reason={reason} />
        ))}
      </div>
      {sizeOf && <TotalsTable connectionId={connection.id} now={sizeOf(effective)} after={sizeOf(planned)} />}
      {editor.note && (
        <Text color="textSecondary" className={css.scalingNote}>
          {editor.note}
        </Text>
      )}
    </Panel>
  )
}

/** The button that fills in the suggested values; null if there is nothing to suggest, or it cannot be filled in now. */
function suggestionButton<T extends object>(
  { live, projected, parameters, sizeName, sizeOf, suggest }: ScalingEditorProps<T>,
  { form, effective, progress }: SliderScaling<T>,
  planned: Values,
  connection: Connection,
) {
  const { utilization, assessment } = live
  const now = sizeOf?.(effective) ?? null
  const measured = projected && now ? measure(projected, now.replicas).measured : null
  const enough = measured ? (size: PipeSize) => keepsUp(measured, size) : undefined
  const suggestion = assessment && (suggest?.(assessment.recommendation, utilization, effective, enough) ?? null)
  const isFilledIn = !suggestion || Object.keys(changedValues(suggestion, planned)).length === 0
  if (isFilledIn || lockReason(connection) || progress?.state === 'waiting') return null
  const suggested = { ...effective, ...suggestion }
  return (
    <SuggestionButton
      connectionId={connection.id}
      parameters={parameters}
      suggestion={suggestion}
      name={sizeName(suggested)}
      now={now}
      planned={sizeOf?.(suggested) ?? null}
      onApply={() => fillIn(form, suggestion)}
    />
  )
}

function fillIn(form: UseFormReturn<Draft>, values: Values): void {
  for (const [field, value] of Object.entries(values)) {
    form.setValue(field, value, { shouldValidate: true, shouldDirty: true })
  }
}

/** The used part of a parameter, on the scale of its slider; undefined where it is not measured. */
function loadOf({ field }: ScalingParameter, { sampled }: LiveMetrics) {
  const [samples = []] = sampled.map((sampledPipe) => sampledPipe.samples).toSorted((a, b) => b.length - a.length)
  const isCpu = field === 'replicaCpuMillicores'
  if (!isCpu && field !== 'replicaMemoryGb') return undefined
  // CPU in vCPU, as the rest of the page says it.
  const range = usedRange(samples, ({ cpu, memory }) => (isCpu ? cpu : memory === null ? null : memory / 2 ** 30))
  if (!range) return undefined
  const inVcpu = { ...range, low: range.low / 1000, high: range.high / 1000 }
  return { band: range, text: isCpu ? formatUsed(inVcpu, 'vCPU') : formatUsed(range, 'GiB') }
}

/** A parameter that does not apply to this pipe, and why. */
function InapplicableParameter({ parameter, reason }: { parameter: ScalingParameter; reason: string }) {
  return (
    <div className={css.inapplicableParameter}>
      <Text className={css.parameterTitle}>{parameter.title}</Text>
      <Text>{reason}.</Text>
    </div>
  )
}
