#!/usr/bin/env python3
"""What perft's kernels cost, read from what nvcc makes of them; no GPU is needed.

  cost.py --source ROOT --work DIR            compiles for sm_90 and prints registers, spills, shared memory, SASS by pipe
  cost.py … --check  ROOT/kernels/cost/cost.tsv    fails on a spill, or on more instructions than written there (+10 %)
  cost.py … --accept ROOT/kernels/cost/cost.tsv    writes that file anew
  cost.py … --bound  ROOT/kernels/cost/lane_use.tsv  leaves a second that an H200 cannot pass

A cubin is an ELF file; an instruction is 16 bytes, its opcode the low 12 bits (NVIDIA documents neither; the table is
what disassemblers print). A loop is what a branch backwards encloses.

The bound: multiprocessors x clock / (cycles a leaf), where a multiprocessor takes 64 integer instructions of threads a
cycle, 16 of POPC, FLO and BREV, and issues 128 of any kind; the slowest of the three counts. Instructions a leaf are
counted as if every branch were taken, and with the lanes that idle; how often each loop runs is measured
(tests/cuda/lane_use.cpp). It is a bound, not a result: memory, latency and dependences are left out, and so are the kernels further
up the tree (one node in some 17).
"""
import argparse
import collections
import os
import re
import struct
import subprocess
import sys

SOURCES = ('perft_suicide', 'perft_losers', 'perft_horde', 'perft_chess',  # antichess is counted by suicide's
           'playout_antichess', 'playout_suicide', 'playout_losers', 'playout_horde', 'playout_chess')
ARCHITECTURE = 'sm_90'
H200 = {'multiprocessors': 132, 'clock_hz': 1.98e9}
REGISTERS, SHARED_BYTES, MOST_THREADS = 65536, 227 * 1024, 2048  # of a multiprocessor of sm_90
BLOCK_THREADS, BLOCK_SHARED_RESERVED = 64, 1024
ALLOWED_GROWTH = 1.10
BIT_TRIPS = 3     # looking for the k-th bit of a set

POPULATION = {0x309: 'POPC', 0x301: 'BREV', 0x300: 'FLO', 0x2bd: 'UFLO'}
INTEGER = {0x10: 'IADD3', 0x12: 'LOP3', 0x19: 'SHF', 0x24: 'IMAD', 0x25: 'IMAD.WIDE', 0x27: 'IMAD.HI', 0x0c: 'ISETP',
           0x07: 'SEL', 0x11: 'LEA', 0x16: 'PRMT', 0x48: 'VIMNMX', 0x17: 'IMNMX', 0x35: 'IADD', 0x36: 'VIADD',
           0x1c: 'PLOP3', 0x02: 'MOV'}
OTHERS = {0x381: 'LDG', 0x981: 'LDG', 0x986: 'STG', 0x386: 'STG', 0x984: 'LDS', 0x988: 'STS', 0x388: 'STS', 0x947: 'BRA',
          0x945: 'BSSY', 0x941: 'BSYNC', 0x389: 'SHFL', 0x989: 'SHFL', 0xf89: 'SHFL', 0x806: 'VOTE', 0x94d: 'EXIT',
          0x38c: 'ATOMS', 0x38d: 'ATOMS', 0x98c: 'ATOMS', 0x9a8: 'ATOMG', 0x3a8: 'ATOMG', 0x98e: 'REDG', 0xb82: 'LDC'}
BRANCH, NOP, SHARED_ATOMIC = 0x947, 0x918, {0x38c, 0x38d, 0x38f, 0x98c, 0x98d}


def pipe_of(opcode):
    if opcode in POPULATION:
        return 'population'
    if opcode >> 8 & 0xe in (2, 4, 6, 8, 10, 12) and opcode & 0xff in INTEGER:
        return 'integer'
    return 'other'


Instruction = collections.namedtuple('Instruction', 'opcode target')


def functions_of(cubin):
    """Yields (mangled name, instructions) of every kernel in a cubin."""
    with open(cubin, 'rb') as file:
        data = file.read()
    (headers,) = struct.unpack_from('<Q', data, 0x28)
    count, names_at = struct.unpack_from('<HH', data, 0x3c)
    sections = [struct.unpack_from('<IIQQQQIIQQ', data, headers + 64 * i) for i in range(count)]

    def name_at(offset):
        begin = sections[names_at][4] + offset
        return data[begin:data.index(b'\0', begin)].decode()

    for section in sections:
        name = name_at(section[0])
        if not name.startswith('.text.'):
            continue
        instructions = []
        for i in range(section[5] // 16):
            low, high = struct.unpack_from('<QQ', data, section[4] + 16 * i)
            target = None
            if low & 0xfff == BRANCH:  # a distance in units of 4 bytes, its lowest byte apart
                distance = (low >> 34 | (high & 0x3ffff) << 30) << 8 | low >> 16 & 0xff
                if distance >> 55:
                    distance -= 1 << 56
                target = i + 1 + distance * 4 // 16
            instructions.append(Instruction(low & 0xfff, target))
        while instructions and (instructions[-1].opcode == NOP or instructions[-1].target == len(instructions) - 1):
            instructions.pop()  # padding, and the branch to itself before it
        yield name[6:], instructions


def loops_of(instructions):
    """(begin, end) of what every branch backwards encloses, the largest first."""
    ends = {}
    for i, instruction in enumerate(instructions):
        if instruction.target is not None and instruction.target <= i:
            ends[instruction.target] = max(ends.get(instruction.target, 0), i + 1)
    return sorted(ends.items(), key=lambda loop: loop[0] - loop[1])


def count(instructions, begin, end, without=()):
    """Instructions of a range by pipe, apart from ranges within it."""
    pipes = collections.Counter()
    for i in range(begin, end):
        if not any(b <= i < e for b, e in without):
            pipes[pipe_of(instructions[i].opcode)] += 1
    return pipes


def plus(*terms):
    """Sum of (factor, counter)."""
    total = collections.Counter()
    for factor, pipes in terms:
        for pipe, n in pipes.items():
            total[pipe] += factor * n
    return total


def parts_of_three_plies(name, instructions):
    """Of the kernel that counts three plies: what runs once a warp, once a round of 32 children, and once a round of 32
    moves that two plies left over, and once a turn of squares_behind's loop (common/two_plies.h)."""
    loops = loops_of(instructions)
    outer = loops[0]
    inner = [loop for loop in loops[1:] if outer[0] <= loop[0] and loop[1] <= outer[1]]
    left = [loop for loop in inner
            if any(i.opcode in SHARED_ATOMIC for i in instructions[loop[0]:loop[1]]) and loop[1] - loop[0] > 300]
    if not left:
        sys.exit(f'{name}: no loop over the moves left over is found; has the kernel changed? Then change cost.py')
    left_over = left[0]

    small = [loop for loop in inner if loop[1] - loop[0] <= 60 and not loop[0] <= left_over[0] < loop[1]]
    behind = [loop for loop in inner if loop != left_over and loop not in small]
    if len(behind) > 1 or any(left_over[0] <= b[0] < left_over[1] for b in behind):
        sys.exit(f'{name}: loops {behind} besides {left_over}; has the kernel changed? Then change cost.py')

    def within(begin, end, apart):
        bits = [loop for loop in small if begin <= loop[0] < end and not any(b <= loop[0] < e for b, e in apart)]
        return plus((1, count(instructions, begin, end, apart + bits)),
                    *((BIT_TRIPS, count(instructions, *loop)) for loop in bits))

    return {'warps': count(instructions, 0, len(instructions), [outer]),
            'rounds': within(*outer, [left_over] + behind),
            'left_over_rounds': within(*left_over, []),
            'behind_rounds': count(instructions, *behind[0]) if behind else collections.Counter()}


def compile_source(arguments, source):
    """Compiles, and returns the rows (kernel, registers, spill bytes, shared bytes, instructions) and the functions."""
    cubin = os.path.join(arguments.work, source + '.cubin')
    command = [arguments.nvcc, '-std=c++20', '-O3', '-I', arguments.source, '-cubin', '-arch=' + ARCHITECTURE, '-Xptxas',
               '-v', '-o', cubin, os.path.join(arguments.source, 'kernels', source + '.cu')]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'{" ".join(command)}\n{run.stdout}{run.stderr}')
    functions = dict(functions_of(cubin))
    rows, name, spills = [], None, 0
    for line in run.stderr.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            name = match[1]
        elif match := re.search(r'(\d+) bytes spill stores, (\d+) bytes spill loads', line):
            spills = int(match[1]) + int(match[2])
        elif match := re.search(r'Used (\d+) registers', line):
            shared = re.search(r'(\d+) bytes smem', line)
            pipes = count(functions[name], 0, len(functions[name]))
            rows.append({'kernel': readable(name), 'registers': int(match[1]), 'spills': spills,
                         'shared': int(shared[1]) if shared else 0, 'instructions': sum(pipes.values()),
                         'integer': pipes['integer'], 'population': pipes['population']})
    return sorted(rows, key=lambda row: row['kernel']), functions


def readable(name):
    """tally3.chess.white, playout.chess or playout.chess.repetition of a mangled name."""
    kernel = re.match(r'_ZN8hecatomb4cuda\d+(\w+?)_kernelINS_4base\d+([A-Z][a-z]+)EL', name)
    side = re.search(r'ELNS2_5ColorE(\d)E', name)
    plies = re.search(r'Li(\d)E', name)
    repetition = re.search(r'ELb(\d)E', name)
    if not kernel or not (side or repetition):
        sys.exit(f'{name}: a kernel of a new form; change readable() in cost.py')
    variant = kernel[2].lower()
    if repetition:
        return f'{kernel[1]}.{variant}' + ('.repetition' if repetition[1] == '1' else '')
    return f'{kernel[1]}{plies[1] if plies else ""}.{variant}.{"black" if side[1] == "1" else "white"}'


def histogram(instructions):
    """LOP3:2138 SHF:550 …: what a kernel consists of."""
    def mnemonic(opcode):
        return (POPULATION.get(opcode) or OTHERS.get(opcode) or
                (INTEGER[opcode & 0xff] if pipe_of(opcode) == 'integer' else hex(opcode)))
    counter = collections.Counter(mnemonic(i.opcode) for i in instructions)
    return ' '.join(f'{name}:{n}' for name, n in counter.most_common(16))


def occupancy(row):
    """Threads that a multiprocessor holds at once, by registers (given out by 8 to a thread) and shared memory."""
    registers = (row['registers'] + 7) // 8 * 8
    blocks = min(REGISTERS // (registers * BLOCK_THREADS), MOST_THREADS // BLOCK_THREADS,
                 SHARED_BYTES // (row['shared'] + BLOCK_SHARED_RESERVED), 32)
    return blocks * BLOCK_THREADS


COLUMNS = ('kernel', 'registers', 'spills', 'shared', 'threads', 'instructions', 'integer', 'population')


def table(version, rows):
    lines = [f'# {version}, {ARCHITECTURE}; made by kernels/cost/cost.py --accept', '\t'.join(COLUMNS)]
    lines += ['\t'.join(str(row[column]) for column in COLUMNS) for row in rows]
    return '\n'.join(lines) + '\n'


def check(path, version, rows):
    with open(path) as file:
        first, names, *lines = file.read().splitlines()
    accepted = {}
    for line in lines:
        row = dict(zip(names.split('\t'), line.split('\t')))
        accepted[row['kernel']] = row
    faults = [f'{row["kernel"]}: {row["spills"]} bytes of spills' for row in rows
              if row['spills'] > int(accepted.get(row['kernel'], {}).get('spills', 0))]
    if version not in first:
        print(f'{path} was made by another nvcc ({first.split(",")[0][2:]}; this is {version}): only spills are compared')
    else:
        for row in rows:
            if row['kernel'] not in accepted:
                faults.append(f'{row["kernel"]}: not in {path}')
            elif row['instructions'] > ALLOWED_GROWTH * int(accepted[row['kernel']]['instructions']):
                faults.append(f'{row["kernel"]}: {row["instructions"]} instructions, and '
                              f'{accepted[row["kernel"]]["instructions"]} were accepted')
    if faults:
        print('\n'.join(faults))
        sys.exit('The kernels cost more than was accepted. If that is wanted: cmake --build build/release --target '
                 'kernel_cost_accept, and commit kernels/cost/cost.tsv with the reason.')
    print(f'{len(rows)} kernels, no more spills, none more than 10 % above {path}')


def bounds(path, functions):
    with open(path) as file:
        names, *lines = [line.split('\t') for line in file.read().splitlines() if not line.startswith('#')]
    print('variant  instructions a leaf: integer population all   bound on an H200, 10^9 leaves/s (slowest pipe)')
    for line in lines:
        use = dict(zip(names, line))
        total = collections.Counter()
        for side in ('white', 'black'):  # the mean of both sides to move
            name = next(n for n in functions if readable(n) == f'tally3.{use["variant"]}.{side}')
            parts = parts_of_three_plies(readable(name), functions[name])
            total = plus((1, total), *((16 * int(use[what]), pipes) for what, pipes in parts.items()))
        leaves = int(use['leaves'])
        integer, population = total['integer'] / leaves, total['population'] / leaves
        everything = sum(total.values()) / leaves
        cycles = {'integer': integer / 64, 'population': population / 16, 'issue': everything / 128}
        slowest = max(cycles, key=cycles.get)
        rate = H200['multiprocessors'] * H200['clock_hz'] / cycles[slowest]
        print(f'{use["variant"]:8s} {integer:21.1f} {population:10.1f} {everything:3.1f} {rate / 1e9:8.0f} ({slowest})')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--source', required=True)
    parser.add_argument('--work', required=True)
    parser.add_argument('--nvcc', default='nvcc')
    parser.add_argument('--check')
    parser.add_argument('--accept')
    parser.add_argument('--bound')
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    version = 'nvcc ' + re.search(r'V([\d.]+)', subprocess.run([arguments.nvcc, '--version'], capture_output=True,
                                                              text=True, check=True).stdout)[1]
    rows, functions = [], {}
    for source in SOURCES:
        more_rows, more_functions = compile_source(arguments, source)
        rows += more_rows
        functions.update(more_functions)
    for row in rows:
        row['threads'] = occupancy(row)
    print(table(version, rows), end='')
    print('\nThe hot kernels:')
    for name, instructions in functions.items():
        if readable(name).startswith('tally3'):
            print(f'{readable(name)}  {histogram(instructions)}')
    if arguments.bound:
        print()
        bounds(arguments.bound, functions)
    if arguments.accept:
        with open(arguments.accept, 'w') as file:
            file.write(table(version, rows))
    if arguments.check:
        check(arguments.check, version, rows)


if __name__ == '__main__':
    main()
