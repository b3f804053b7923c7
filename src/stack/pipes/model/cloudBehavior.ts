/** How the simulated cloud behaves where deployments differ. */

export interface CloudBehavior {
  /** Seconds between a change that takes time and its effect. */
  convergenceSeconds: number
  /** Report zeros for a moment after a scaling change, as deployments may. */
  transientZeros: boolean
  /** Spell CPU and memory as quantities such as `250m` and `512Mi`, as deployments may. */
  quantityStrings: boolean
}
