/** A seeded source of choices (mulberry32): the same seed gives the same choices. */
export class Choices {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 up to, and without, n. */
  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** One of the names, each as often as its weight says. */
  weighted<K extends string>(weights: Record<K, number>): K {
    const all = Object.entries(weights) as [K, number][];
    let left = this.below(all.reduce((sum, [, w]) => sum + w, 0));
    return all.find(([, w]) => (left -= w) < 0)![0];
  }
}
