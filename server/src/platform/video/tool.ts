import type { Command } from '../sandbox/confinement.ts'
import type { Container } from './container.ts'
import type { Film } from './film.ts'
import type { Plan } from './plan.ts'

/** A program that reads and converts videos: always a separate process, which is given paths and nothing else. */
export type VideoTool = {
  /** Its usual name, such as `ffmpeg 7.1`. */
  name: string
  /** Starts, and ends well: what a sandbox must allow. */
  trial: Command
  /** Prints a file's contents as ffprobe's JSON; ends with a non-zero code if it cannot be read. */
  inspection(source: string, container: Container): Command
  /** Overwrites `target` with an MP4; prints progress as ffmpeg's `-progress` does. */
  conversion(source: string, container: Container, target: string, plan: Plan): Command
  /** Overwrites `target` with an MP4 of the same pictures and sound, without any metadata; not every tool can. */
  remux?(source: string, container: Container, target: string, film: Film): Command
  /** Overwrites `target` with a PNG of a frame. */
  still(source: string, container: Container, target: string): Command
}

export const encoderPreset = 'veryfast'
/** 4.2 allows 1080p at 60 frames a second. */
export const encoderLevel = '4.2'
export const encoderCrf = 23
