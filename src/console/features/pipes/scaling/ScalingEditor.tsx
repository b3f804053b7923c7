import { useState, type ReactNode } from 'react'
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

/** The scaling form: sliders, totals, size assessment, and the progress of a pending change. */
export function ScalingEditor<T extends object>(props: ScalingEditorProps<T>) {
  const { target, parameters, inapplicable, instead, sizeName, sizeOf, command, couple } = props
  const connection = useConnection()
  const scaling = useScaling(target)
  const [free, setFree] = useState(false)
  const { form, draft, values, effective, expected, changes, progress } = scaling
  const locked = lockReason(connection)
  const planned = applyDraft(draft, expected)
  const [currentName, plannedName] = [sizeName(effective), sizeName(planned)]
  const { utilization, assessment } = props.live
  const sizeNow = sizeOf?.(effective) ?? null
  const { projected } = props
  const measured = projected && sizeNow ? measure(projected, sizeNow.replicas).measured : null
  const enough = measured ? (size: PipeSize) => keepsUp(measured, size) : undefined
  const suggestion = assessment && (props.suggest?.(assessment.recommendation, utilization, effective, enough) ?? null)
  const rate = useUnitRate(connection.id)
  const cost = sizeOf ? formatCost([sizeNow], [sizeOf(planned)], rate) : null
  const open = suggestion && Object.keys(changedValues(suggestion, planned)).length > 0

  const move = (field: string, value: number) => {
    for (const [coupledField, coupledValue] of Object.entries(couple?.(field, value) ?? {})) {
      form.setValue(coupledField, coupledValue, { shouldValidate: true, shouldDirty: true })
    }
  }
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
            {instead}
            {parameters.map((parameter) => (
              <ScalingParameterField<Draft>
                key={parameter.field}
                control={form.control}
                name={parameter.field}
                parameter={parameter}
                current={expected[parameter.field] ?? null}
                inForce={effective[parameter.field] ?? null}
                free={free}
                load={loadOf(parameter, props.live)}
                disabled={locked}
                onMove={(value) => move(parameter.field, value)}
              />
            ))}
            {inapplicable.map(({ parameter, reason }) => (
              <InapplicableParameter key={parameter.field} parameter={parameter} reason={reason} />
            ))}
          </div>
          {sizeOf && <TotalsTable connectionId={connection.id} now={sizeNow} after={sizeOf(planned)} />}
          {props.note && (
            <Text color="textSecondary" className={css.scalingNote}>
              {props.note}
            </Text>
          )}
        </Panel>
        <div className={css.beside}>
          {/* Not above the sliders: it appears with the first sample and would move them under the pointer. */}
          <SizeAssessmentNotice
            live={props.live}
            action={
              open &&
              !locked &&
              progress?.state !== 'waiting' && (
                <SuggestionButton
                  connectionId={connection.id}
                  parameters={parameters}
                  suggestion={suggestion}
                  name={sizeName({ ...effective, ...suggestion })}
                  now={sizeNow}
                  planned={sizeOf?.({ ...effective, ...suggestion }) ?? null}
                  onApply={() => {
                    for (const [field, value] of Object.entries(suggestion)) {
                      form.setValue(field, value, { shouldValidate: true, shouldDirty: true })
                    }
                  }}
                />
              )
            }
          />
          {sizeOf && props.projected && (
            <ProjectionPanel samples={props.projected} now={sizeNow} planned={sizeOf(planned)} rate={rate} />
          )}
          {props.aside}
        </div>
      </div>
    </ScalingPage>
  )
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
