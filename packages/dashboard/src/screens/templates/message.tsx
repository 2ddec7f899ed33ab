/**
 * A message whose parts can be marked: by selecting with the mouse, by tapping words, or by moving over words with the
 * keyboard. The slot is chosen below the message. This component has the selection; the caller has the marks.
 */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import {
  type Mark,
  markOver,
  type Part,
  type Piece,
  piecesOf,
  slotNameOf,
  trimmed,
  withMark,
  withoutMark,
  wordsIn,
} from './marks.ts'
import styles from './message.module.css'
import { SlotChoice } from './slot-choice.tsx'

type Props = { readonly text: string; readonly marks: readonly Mark[]; readonly onMarks: (marks: Mark[]) => void }

export const Message = ({ text, marks, onMarks }: Props) => {
  const { t } = useWords(templatesWords)
  const words = useMemo(() => wordsIn(text), [text])
  const [chosen, setChosen] = useState<Part | undefined>(undefined)
  // The word that has, or last had, the focus; and the word where a longer selection began.
  const [at, setAt] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const choice = useRef<HTMLDivElement>(null)
  const focused = Math.min(at, words.length - 1)

  const focus = (word: number): void =>
    box.current?.querySelector<HTMLElement>(`[data-word="${word}"]`)?.focus({ preventScroll: false })

  // A word is rendered again when its mark changes, and would lose the focus.
  const restoresFocus = useRef(false)
  useLayoutEffect(() => {
    if (restoresFocus.current) focus(focused)
    restoresFocus.current = false
  })

  /** Everything between two words, both included. */
  const choose = (from: number, to: number): void => {
    setAnchor(from)
    setAt(to)
    const [first, last] = from <= to ? [words[from]!, words[to]!] : [words[to]!, words[from]!]
    setChosen({ from: first.from, to: last.to })
  }

  const changeMarks = (changed: Mark[]): void => {
    onMarks(changed)
    setChosen(undefined)
    restoresFocus.current = true
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const last = words.length - 1
    const steps: Record<string, number> = {
      ArrowRight: focused + (rightToLeft ? -1 : 1),
      ArrowLeft: focused + (rightToLeft ? 1 : -1),
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      Home: 0,
      End: last,
    }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const to = Math.max(0, Math.min(last, step))
      choose(event.shiftKey ? anchor : to, to)
      focus(to)
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (chosen === undefined) choose(focused, focused)
      // After the render.
      requestAnimationFrame(() => choice.current?.querySelector('button')?.focus())
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      const mark = markOver(marks, chosen ?? words[focused]!)
      if (mark !== undefined) changeMarks(withoutMark(marks, mark))
    } else if (event.key === 'Escape') setChosen(undefined)
  }

  /** When the mouse button is released, also outside of the message, the selected text or the clicked word is chosen. */
  const onMouseDown = (): void =>
    window.addEventListener(
      'mouseup',
      ({ target, shiftKey }) => {
        const part = selectedIn(box.current, text)
        getSelection()?.removeAllRanges()
        if (part !== undefined) {
          setAnchor(words.findIndex(({ to }) => to > part.from))
          setAt(words.findLastIndex(({ from }) => from < part.to))
          setChosen(part)
          return
        }
        const touched = target instanceof Element ? target.closest<HTMLElement>('[data-in]') : null
        if (touched === null || !box.current?.contains(touched)) return
        const word = Number(touched.dataset.in)
        choose(shiftKey && chosen !== undefined ? anchor : word, word)
      },
      { once: true },
    )

  const renderPiece = (piece: Piece): ReactNode => {
    const content = text.slice(piece.from, piece.to)
    const isChosen = chosen !== undefined && piece.from >= chosen.from && piece.to <= chosen.to
    const look = isChosen ? styles.chosen : ''
    // A word that a mark divides is still one tab stop.
    const begins = piece.word !== undefined && words[piece.word]!.from === piece.from
    if (!begins)
      return (
        <span key={piece.from} data-from={piece.from} data-in={piece.word} className={look}>
          {content}
        </span>
      )
    const word = piece.word!
    return (
      // biome-ignore lint/a11y/useSemanticElements: the text of a button can be neither selected nor set in its own direction
      <span
        key={piece.from}
        role="button"
        tabIndex={word === focused ? 0 : -1}
        aria-pressed={isChosen}
        data-from={piece.from}
        data-word={word}
        data-in={word}
        className={`${styles.word} ${look}`}
        onClick={({ detail }) => {
          // A click by a screen reader, not by the mouse.
          if (detail === 0) choose(word, word)
        }}
        onKeyDown={onKeyDown}
      >
        {content}
      </span>
    )
  }

  return (
    <div className="card">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's text cannot be set as one paragraph */}
      <div
        ref={box}
        dir="auto"
        role="group"
        aria-label={t('templates.message')}
        aria-describedby="how-to-mark"
        className={styles.message}
        onMouseDown={onMouseDown}
      >
        {grouped(piecesOf(text, words, marks, chosen)).map(([mark, pieces]) =>
          mark === undefined ? (
            pieces.map(renderPiece)
          ) : (
            <ruby key={`m${mark.from}`} className={styles.marked} data-slot={slotNameOf(mark.slot)}>
              {pieces.map(renderPiece)}
              <rt>{t(`templates.slot.${slotNameOf(mark.slot)}`)}</rt>
            </ruby>
          ),
        )}
      </div>
      <div className={styles.choice} ref={choice}>
        <SlotChoice
          text={chosen === undefined ? undefined : text.slice(chosen.from, chosen.to)}
          mark={chosen === undefined ? undefined : markOver(marks, chosen)}
          shorter={at === anchor ? undefined : () => choose(anchor, at > anchor ? at - 1 : at + 1)}
          longer={
            Math.max(at, anchor) >= words.length - 1
              ? undefined
              : () => choose(Math.min(at, anchor), Math.max(at, anchor) + 1)
          }
          onSlot={(name) => {
            if (chosen !== undefined) changeMarks(withMark(marks, chosen, name))
          }}
          onRemove={(mark) => changeMarks(withoutMark(marks, mark))}
          onLeave={() => {
            setChosen(undefined)
            focus(focused)
          }}
        />
      </div>
    </div>
  )
}

/** Adjacent pieces of one mark are one element. */
const grouped = (pieces: readonly Piece[]): [Mark | undefined, Piece[]][] => {
  const groups: [Mark | undefined, Piece[]][] = []
  for (const piece of pieces) {
    const last = groups.at(-1)
    if (last !== undefined && last[0] === piece.mark) last[1].push(piece)
    else groups.push([piece.mark, [piece]])
  }
  return groups
}

/** The selected text as offsets; undefined: nothing is selected. */
const selectedIn = (box: HTMLElement | null, text: string): Part | undefined => {
  const selection = getSelection()
  if (box === null || selection === null || selection.rangeCount === 0) return undefined
  const ends = [
    offsetOf(box, selection.anchorNode, selection.anchorOffset),
    offsetOf(box, selection.focusNode, selection.focusOffset),
  ]
  const [anchor, focus] = ends
  if (anchor === undefined || focus === undefined || anchor === focus) return undefined
  return trimmed(text, { from: Math.min(anchor, focus), to: Math.max(anchor, focus) })
}

const offsetOf = (box: HTMLElement, node: Node | null, offset: number): number | undefined => {
  const piece = node?.parentElement
  if (node?.nodeType !== Node.TEXT_NODE || !piece || !box.contains(piece) || piece.dataset.from === undefined)
    return undefined
  return Number(piece.dataset.from) + offset
}
