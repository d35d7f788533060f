// SPDX-License-Identifier: MIT OR Apache-2.0
// Test kit, on the host alone: what ends in a panic, in a child process, as the panic ends it. Such tests come first: a
// child has none of the other threads.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tap.hpp"

namespace tap {

// Does misuse() end in a panic that says this?
inline bool panics(void (*misuse)(), const char* reason, const char* where = "") {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        misuse();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char text[256];
    for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;)
        said.append(text, static_cast<size_t>(got));
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return false;
    const bool good = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
                      said.find(reason) != std::string::npos && said.find(where) != std::string::npos;
    if (!good) note("status ", status, ", said: ", said.c_str());
    return good;
}

}  // namespace tap
