/** The signal that replaces the processes of a machine one by one. Windows has no such signal. */
export const onRollingRestart = (act: () => void): void => {
  if (process.platform !== 'win32') process.on('SIGUSR2', act)
}

export const onlyOneProcess =
  'SIGUSR2 replaces the processes of a machine one by one, but this is the only one: nothing was done. Set SANAD_PROCESSES=2 or more.'
